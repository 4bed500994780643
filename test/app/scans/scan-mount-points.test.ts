/** Drives that are mounted below a root of a library: one that is away must not cost anybody a movie. */
import t, { type Test } from 'tap'
import type { ScanDocument } from '../../../projections/views/scans.ts'
import { allowed, openNodeFixture, ORIGIN } from '../../fixtures/node-fixture.ts'

/** Of the root's own file system, and of the drives in turn. */
const [SYSTEM, FIRST, SECOND, OTHER] = [1, 2, 3, 4] as const

const filmAt = (folder: string, title: string) => `${folder}/${title} (1950)/${title}.mkv`
const filmsAt = (folder: string, ...titles: readonly string[]) => titles.map((title) => filmAt(folder, title))

async function setUp(t: Test, { films = FILMS, roots = ['/mnt'], drives = DRIVES }: Given = {}) {
  const node = await openNodeFixture(t)
  const admin = await node.person({ role: 'admin' })
  const mount = (path: string, device: number, empty = false) => node.mediaFiles.setHealth(path, { available: true, device, empty })
  for (const path of films) node.mediaFiles.put(path)
  for (const root of roots) mount(root, SYSTEM)
  for (const [path, device] of Object.entries(drives)) mount(path, device)
  const libraryId = await node.newLibrary(...roots)
  const scan = (paths: readonly string[] | null = null, mode: ScanDocument['mode'] = 'incremental') => node.scan(libraryId, { paths, mode })
  t.match(await scan(), { state: 'completed', counts: { added: films.length, errors: 0 } })
  const before = (await node.events()).length
  const below = (path: string) => films.filter((film) => film.startsWith(`${path}/`))
  return {
    node,
    admin,
    libraryId,
    scan,
    mount,
    /** Leaves an empty folder of the file system around it. */
    unplug: (path: string) => {
      for (const film of below(path)) node.mediaFiles.move(film, `/unplugged${film}`)
      mount(path, SYSTEM, true)
    },
    plugIn: (path: string, device: number) => {
      for (const film of below(path)) node.mediaFiles.move(`/unplugged${film}`, film)
      mount(path, device)
    },
    changeRoots: async (roots: readonly string[]) => {
      allowed(await node.libraries.change(admin.caller, libraryId, { roots }, ORIGIN))
      await node.clock.settle()
      await node.seen()
    },
    movieEvents: async () => (await node.events()).slice(before).filter(({ stream }) => stream.startsWith('movie-')),
    shown: async () => {
      const found: string[] = []
      for await (const { available, details } of node.readModels.movies.walk({})) if (available) found.push(details.title)
      return found.sort()
    },
  }
}

const FILMS = [...filmsAt('/mnt/d1', 'Alien', 'Brazil'), ...filmsAt('/mnt/d2', 'Casablanca'), ...filmsAt('/mnt/local', 'Dumbo')]
const TITLES = ['Alien', 'Brazil', 'Casablanca', 'Dumbo']
const DRIVES = { '/mnt/d1': FIRST, '/mnt/d2': SECOND }
const AWAY = { file: 'd1', message: /^No drive with its films is mounted here/ }

interface Given {
  readonly films?: readonly string[]
  readonly roots?: readonly string[]
  readonly drives?: Readonly<Record<string, number>>
}

t.test(
  'the films of a drive that is away stay, whatever its mount point holds, and one scan after its return all is as before',
  async (t) => {
    const { node, scan, unplug, plugIn, shown, movieEvents } = await setUp(t)
    unplug('/mnt/d1')
    const kept = { state: 'completed', error: null, counts: { missing: 0, errors: 1 }, errors: [AWAY] }
    for (const mode of ['incremental', 'full', 'incremental'] as const) t.match(await scan(null, mode), kept, mode)
    node.mediaFiles.put('/mnt/d1/DRIVE_NOT_MOUNTED.txt')
    node.mediaFiles.put('/mnt/d1/trailers/Alien.mkv')
    node.mediaFiles.setHealth('/mnt/d1', { available: true, device: SYSTEM, empty: false })
    t.match(await scan(), kept, 'with other files in it')
    t.strictSame(await shown(), TITLES)
    plugIn('/mnt/d1', OTHER)
    t.match(await scan(), { state: 'completed', counts: { seen: 4, unchanged: 4, missing: 0, restored: 0, errors: 0 }, errors: [] })
    t.strictSame(await movieEvents(), [])
    unplug('/mnt/d1')
    t.match(await scan(), kept, 'and away once more')
    t.strictSame(await movieEvents(), [])
  },
)

t.test('a mount point that is gone with its drive counts as away, and so does a file in its place', async (t) => {
  for (const reason of ['missing', 'not-a-folder'] as const) {
    const { node, scan, unplug, movieEvents } = await setUp(t)
    unplug('/mnt/d1')
    node.mediaFiles.setHealth('/mnt/d1', { available: false, reason })
    for (const paths of [null, ['/mnt/d1'], filmsAt('/mnt/d1', 'Alien')]) {
      t.match(await scan(paths), { state: 'completed', counts: { missing: 0 }, errors: [AWAY] }, `${reason} ${paths?.join()}`)
    }
    t.strictSame(await movieEvents(), [])
  }
})

t.test('a scan of folders keeps the films of a drive that is away, and leaves other drives alone', async (t) => {
  const { node, scan, unplug, movieEvents } = await setUp(t)
  unplug('/mnt/d1')
  for (const path of ['/mnt/d1', '/mnt/d1/Alien (1950)', '/mnt'])
    t.match(await scan([path]), { counts: { missing: 0 }, errors: [AWAY] }, path)
  t.match(await scan(['/mnt/d2']), { counts: { seen: 1, missing: 0, errors: 0 } })
  t.strictSame(await movieEvents(), [])
  t.match(await scan(), { counts: { missing: 0 }, errors: [AWAY] }, 'a scan of another folder forgets no drive')
  node.mediaFiles.remove(filmAt('/mnt/local', 'Dumbo'))
  t.match(await scan(), { counts: { missing: 1 }, errors: [AWAY] }, 'what else is gone is missing')
})

t.test('a drive that only a scan of folders has seen is known, and so are those that it has not looked at', async (t) => {
  const { node, scan, mount, unplug } = await setUp(t)
  node.mediaFiles.put(filmAt('/mnt/d3', 'Eraserhead'))
  mount('/mnt/d3', OTHER)
  t.match(await scan(['/mnt/d3/Eraserhead (1950)']), { counts: { added: 1 } })
  node.mediaFiles.remove(filmAt('/mnt/d3', 'Eraserhead'))
  mount('/mnt/d3', SYSTEM, true)
  unplug('/mnt/d1')
  t.match(await scan(), { counts: { missing: 0, errors: 2 }, errors: [AWAY, { file: 'd3' }] })
})

t.test('films that were deleted from a drive are missing', async (t) => {
  const { node, scan, shown } = await setUp(t)
  for (const film of filmsAt('/mnt/d1', 'Alien', 'Brazil')) node.mediaFiles.remove(film)
  node.mediaFiles.setHealth('/mnt/d1', { available: true, device: FIRST, empty: true })
  t.match(await scan(), { state: 'completed', counts: { missing: 2, errors: 0 } })
  t.strictSame(await shown(), ['Casablanca', 'Dumbo'])
  node.mediaFiles.setHealth('/mnt/d1', { available: true, device: SYSTEM, empty: true })
  t.match(await scan(), { counts: { missing: 0, errors: 0 } }, 'and a drive without films may go')
})

t.test('a drive whose device has another number than before is the same if its films are there', async (t) => {
  const { node, scan, mount, movieEvents } = await setUp(t)
  mount('/mnt/d1', OTHER)
  mount('/mnt/d2', FIRST)
  t.match(await scan(['/mnt/d1/Alien (1950)']), { counts: { unchanged: 1, errors: 0 } })
  t.match(await scan(), { counts: { unchanged: 4, missing: 0, errors: 0 } })
  t.strictSame(await movieEvents(), [])
  node.mediaFiles.remove(filmAt('/mnt/d2', 'Casablanca'))
  t.match(await scan(), { counts: { missing: 1, errors: 0 } }, 'its number is known from then on')
})

t.test('a file system that has got the device number of a drive does not hide that the drive is away', async (t) => {
  const { scan, unplug, mount, movieEvents } = await setUp(t)
  unplug('/mnt/d1')
  for (const folder of ['/mnt', '/mnt/d1']) mount(folder, FIRST, folder !== '/mnt')
  t.match(await scan(), { state: 'completed', counts: { missing: 0 }, errors: [AWAY] })
  t.strictSame(await movieEvents(), [])
})

t.test('an empty drive in place of another one keeps the films of that one', async (t) => {
  const { scan, unplug, mount, movieEvents } = await setUp(t)
  unplug('/mnt/d1')
  mount('/mnt/d1', OTHER, true)
  t.match(await scan(), { counts: { missing: 0 }, errors: [AWAY] })
  t.strictSame(await movieEvents(), [])
})

t.test('a drive that is mounted elsewhere below the root brings its films with their marks', async (t) => {
  const { node, admin, scan, unplug, mount, shown } = await setUp(t)
  const alien = await node.movieNamed('Alien')
  allowed(await node.movieMarks.markWatched(admin.caller, alien.id, undefined, ORIGIN))
  unplug('/mnt/d1')
  for (const title of ['Alien', 'Brazil']) node.mediaFiles.move(`/unplugged${filmAt('/mnt/d1', title)}`, filmAt('/mnt/d9', title))
  mount('/mnt/d9', FIRST)
  t.match(await scan(), { state: 'completed', counts: { moved: 2, added: 0, missing: 0, errors: 0 } })
  t.strictSame(await shown(), TITLES)
  t.match(await node.movieNamed('Alien'), { id: alien.id, files: [{ path: filmAt('/mnt/d9', 'Alien') }] })
  t.equal(allowed(await node.movies.get(admin.caller, alien.id)).own?.watched, true)
  t.match(await scan(), { counts: { unchanged: 4, errors: 0 } }, 'nothing is kept for the old place')
})

t.test('a mount point that became a folder with films is judged by them, and may be emptied later', async (t) => {
  const { node, scan, unplug, mount, shown } = await setUp(t)
  unplug('/mnt/d1')
  node.mediaFiles.put(filmAt('/mnt/d1', 'Eraserhead'))
  mount('/mnt/d1', SYSTEM)
  t.match(await scan(['/mnt/d1/Eraserhead (1950)']), { counts: { added: 1, missing: 0, errors: 0 } })
  t.match(await scan(), { counts: { missing: 2, errors: 0 } })
  t.strictSame(await shown(), ['Casablanca', 'Dumbo', 'Eraserhead'])
  node.mediaFiles.remove(filmAt('/mnt/d1', 'Eraserhead'))
  // Numbers of devices may change at a start of the machine.
  for (const folder of ['/mnt', '/mnt/d1']) mount(folder, OTHER)
  t.match(await scan(), { counts: { missing: 1, errors: 0 } }, 'a folder is no drive')
})

t.test('a drive is known at any depth, and one that is mounted on another drive by itself', async (t) => {
  const deep = '/mnt/video/usb/left'
  const films = [...filmsAt(deep, 'Alien'), ...filmsAt(`${deep}/inner`, 'Brazil'), ...filmsAt('/mnt', 'Dumbo')]
  const { scan, unplug, plugIn, mount, movieEvents } = await setUp(t, { films, drives: { [deep]: FIRST, [`${deep}/inner`]: SECOND } })
  unplug(`${deep}/inner`)
  mount(`${deep}/inner`, FIRST, true)
  t.match(await scan(), { counts: { seen: 2, missing: 0 }, errors: [{ file: 'video/usb/left/inner' }] })
  plugIn(`${deep}/inner`, SECOND)
  t.match(await scan(), { counts: { unchanged: 3, errors: 0 } })
  unplug(deep)
  mount(`${deep}/inner`, SYSTEM, true)
  t.match(await scan(), { counts: { seen: 1, missing: 0, errors: 2 } }, 'both are away with the outer one')
  plugIn(`${deep}/inner`, SECOND)
  t.match(await scan(), { counts: { missing: 0 }, errors: [{ file: 'video/usb/left' }] }, 'the films of the inner one do not hide that')
  t.strictSame(await movieEvents(), [])
})

t.test('a drive that goes during a scan keeps its films', async (t) => {
  const { node, admin, libraryId, unplug, movieEvents, scan } = await setUp(t)
  const change = allowed(await node.scans.start(admin.caller, libraryId, { mode: 'incremental', paths: null }, ORIGIN))
  unplug('/mnt/d1')
  t.match(await node.scanned(change.id), { state: 'completed', counts: { missing: 0 } })
  t.match(await scan(), { counts: { missing: 0 }, errors: [AWAY] })
  t.strictSame(await movieEvents(), [])
})

t.test('a drive that was removed for good is taken out by naming the other folders', async (t) => {
  const { scan, unplug, changeRoots, shown } = await setUp(t)
  unplug('/mnt/d1')
  t.match(await scan(), { errors: [AWAY] })
  await changeRoots(['/mnt/d2', '/mnt/local'])
  t.strictSame(await shown(), ['Casablanca', 'Dumbo'])
  t.match(await scan(), { state: 'completed', counts: { unchanged: 2, missing: 0, errors: 0 } })
})

t.test('a drive that becomes a folder of the library is protected from the start', async (t) => {
  const films = [...FILMS, ...filmsAt('/mnt/video/usb', 'Eraserhead')]
  for (const roots of [
    ['/mnt/d1', '/mnt/d2', '/mnt/local', '/mnt/video'],
    ['/mnt', '/mnt/d1'],
  ]) {
    const { node, scan, unplug, changeRoots, movieEvents } = await setUp(t, { films, drives: { ...DRIVES, '/mnt/video/usb': OTHER } })
    for (const path of ['/mnt/d1', '/mnt/video/usb']) unplug(path)
    node.mediaFiles.put('/mnt/video/about.txt')
    await changeRoots(roots)
    t.match(await scan(), { state: 'failed', error: 'root_unavailable' })
    if (roots.length === 2) continue
    await changeRoots(['/mnt/d2', '/mnt/local', '/mnt/video'])
    t.match(await scan(), { state: 'completed', counts: { missing: 0 }, errors: [{ file: 'usb' }] })
    t.match(await movieEvents(), [{ type: 'MovieFileMissing' }, { type: 'MovieFileMissing' }], 'those of the folder that was taken out')
  }
})

t.test('a root on a drive of its own below another root is no drive of that one', async (t) => {
  const films = [...filmsAt('/mnt/d1', 'Alien'), ...filmsAt('/mnt/local', 'Dumbo')]
  const { node, libraryId, scan, unplug, movieEvents } = await setUp(t, {
    films,
    roots: ['/mnt', '/mnt/d1'],
    drives: { '/mnt/d1': FIRST },
  })
  t.match(node.access.libraries.get(libraryId)?.roots, [{ mountPoints: [] }, { mountPoints: [] }])
  unplug('/mnt/d1')
  t.match(await scan(), { state: 'failed', error: 'root_unavailable' })
  t.strictSame(await movieEvents(), [])
})

t.test('a drive that is away is reported once for the operator, and again when it has been back', async (t) => {
  const { node, scan, unplug, plugIn } = await setUp(t)
  unplug('/mnt/d1')
  for (let n = 0; n < 3; n++) await scan()
  t.match(node.problems, [{ message: /^No drive with its films is mounted at \/mnt\/d1.*\/mnt/ }])
  t.equal(node.problems.length, 1)
  plugIn('/mnt/d1', FIRST)
  await scan()
  unplug('/mnt/d1')
  await scan(['/mnt/d1'])
  t.equal(node.problems.length, 2)
})
