/** Roots of a library that are on another device than in the last good scan, and roots below one another. */
import t, { type Test } from 'tap'
import type { MemoryMedia } from '../../../src/adapters/memory/media.ts'
import { NotPlayable, type Media } from '../../../src/ports/media.ts'
import { allowed, createCluster, openNodeFixture, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'

const FILMS = Array.from({ length: 12 }, (_, n) => `/films/Film ${n} (1950)/Film ${n} (1950).mkv`)

async function setUp(t: Test, paths: readonly string[], roots: readonly string[]) {
  const node = await openNodeFixture(t)
  const admin = await node.person({ role: 'admin' })
  for (const path of paths) node.mediaFiles.put(path)
  for (const root of roots) mount(node, root, 1)
  const libraryId = await node.newLibrary(...roots)
  const scan = (paths: readonly string[] | null = null) => node.scan(libraryId, { paths })
  t.match(await scan(), { state: 'completed', counts: { added: paths.length } })
  const before = (await node.events()).length
  return {
    node,
    scan,
    changeRoots: async (roots: readonly string[]) => {
      allowed(await node.libraries.change(admin.caller, libraryId, { roots }, ORIGIN))
      await node.clock.settle()
      await node.seen()
    },
    offline: () =>
      node.access.libraries.get(libraryId)?.roots.flatMap(({ path, reason }) => (reason === null ? [] : [`${path} ${reason}`])),
    movieEvents: async () => (await node.events()).slice(before).filter(({ stream }) => stream.startsWith('movie-')),
    shown: async () => {
      const found: string[] = []
      for await (const { available, details } of node.readModels.movies.walk({})) if (available) found.push(details.title)
      return found.sort()
    },
  }
}

function mount({ mediaFiles }: NodeFixture, root: string, device: number, empty = false): void {
  mediaFiles.setHealth(root, { available: true, device, empty })
}

function unplug(node: NodeFixture, films: readonly string[]): void {
  for (const path of films) node.mediaFiles.move(path, `/unplugged${path}`)
}

function plugIn(node: NodeFixture, films: readonly string[]): void {
  for (const path of films) node.mediaFiles.move(`/unplugged${path}`, path)
}

t.test('a folder that never had films may be mounted on another device while it is empty', async (t) => {
  const { node, scan, offline, shown } = await setUp(t, ['/films/Alien (1979).mkv'], ['/films', '/incoming'])
  mount(node, '/incoming', 2, true)
  node.mediaFiles.put('/films/Brazil (1985).mkv')
  t.match(await scan(), { state: 'completed', counts: { added: 1, missing: 0 } })
  t.strictSame(await shown(), ['Alien', 'Brazil'])
  t.strictSame(offline(), [])
})

t.test('films that are known to be missing from a folder do not keep it from being scanned on another device', async (t) => {
  const incoming = '/incoming/Alien (1979).mkv'
  const { node, scan, offline } = await setUp(t, ['/films/Brazil (1985).mkv', incoming], ['/films', '/incoming'])
  node.mediaFiles.remove(incoming)
  t.match(await scan(), { state: 'completed', counts: { missing: 1 } })
  mount(node, '/incoming', 2, true)
  t.match(await scan(), { state: 'completed', counts: { missing: 0 } })
  t.strictSame(offline(), [])
})

t.test('a film in a root below another one counts for the inner one only', async (t) => {
  const kids = '/films/Kids/Alien (1979).mkv'
  const { node, scan, offline, movieEvents } = await setUp(t, [kids], ['/films', '/films/Kids'])
  mount(node, '/films', 2)
  t.match(await scan(), { state: 'completed', counts: { missing: 0 } }, 'the outer one has no film to lose')
  unplug(node, [kids])
  mount(node, '/films/Kids', 2, true)
  for (const paths of [null, ['/films'], ['/films/Kids']]) t.match(await scan(paths), { state: 'failed', error: 'root_unavailable' })
  t.strictSame(offline(), ['/films/Kids unmounted'])
  t.strictSame(await movieEvents(), [])
})

t.test('a drive is away if its mount point has no film, whatever else is in it, and one scan after its return all is there', async (t) => {
  const { node, scan, offline, shown, movieEvents } = await setUp(t, FILMS, ['/films'])
  unplug(node, FILMS)
  node.mediaFiles.put('/films/DRIVE_NOT_MOUNTED.txt')
  node.mediaFiles.put('/films/trailers/Film 1.mkv')
  mount(node, '/films', 2)
  for (const paths of [null, ['/films/Film 3 (1950)']]) t.match(await scan(paths), { state: 'failed', error: 'root_unavailable' })
  t.strictSame(offline(), ['/films unmounted'])
  plugIn(node, FILMS)
  mount(node, '/films', 3)
  t.match(await scan(), { state: 'completed', counts: { unchanged: 12, missing: 0 } })
  t.strictSame(offline(), [])
  t.equal((await shown()).length, 12)
  t.strictSame(await movieEvents(), [])
})

t.test('the films of a root below do not hide that the drive of the outer one is away', async (t) => {
  const outer = ['/films/Brazil (1985).mkv']
  const { node, scan, movieEvents } = await setUp(t, [...outer, '/films/Kids/Alien (1979).mkv'], ['/films', '/films/Kids'])
  unplug(node, outer)
  mount(node, '/films', 2)
  t.match(await scan(), { state: 'failed', error: 'root_unavailable' })
  t.strictSame(await movieEvents(), [])
})

t.test('another drive with a film is scanned, and what it does not have is missing', async (t) => {
  const { node, scan, offline, shown } = await setUp(t, FILMS, ['/films'])
  unplug(node, FILMS)
  node.mediaFiles.put('/films/Alien (1979).mkv')
  mount(node, '/films', 2)
  t.match(await scan(), { state: 'completed', counts: { added: 1, missing: 12 } })
  t.strictSame(offline(), [])
  t.strictSame(await shown(), ['Alien'])
})

t.test('a folder without films on the same device as before was emptied', async (t) => {
  const { node, scan, offline } = await setUp(t, FILMS, ['/films'])
  unplug(node, FILMS)
  node.mediaFiles.put('/films/notes.txt')
  t.match(await scan(), { state: 'completed', counts: { missing: 12 } })
  t.strictSame(offline(), [])
})

t.test('films that another root still holds stay when a root is taken out of the library', async (t) => {
  const films = ['/films/Alien (1979).mkv', '/films/Kids/Brazil (1985).mkv', '/more/Casablanca (1942).mkv']
  for (const roots of [
    ['/films', '/films/Kids', '/more'],
    ['/films/Kids', '/films', '/more'],
  ]) {
    const { changeRoots, shown, movieEvents } = await setUp(t, films, roots)
    await changeRoots(['/films', '/more'])
    t.strictSame(await movieEvents(), [])
    await changeRoots(['/more', '/films/Kids'])
    t.strictSame(await shown(), ['Brazil', 'Casablanca'])
    await changeRoots(['/more'])
    t.strictSame(await shown(), ['Casablanca'])
  }
})

t.test('a root that is taken out during a scan leaves its films to the root around it', async (t) => {
  const { node, changeRoots, shown } = await setUp(t, ['/films/Kids/Alien (1979).mkv'], ['/films', '/films/Kids'])
  // So young that it is read at the end of the scan.
  node.mediaFiles.put('/films/Kids/Brazil (1985).mkv', { modifiedAtMs: node.clock.now() })
  const [libraryId = ''] = [...node.access.libraries.keys()]
  const admin = await node.person({ role: 'admin' })
  const { id } = allowed(await node.scans.start(admin.caller, libraryId, { mode: 'incremental', paths: null }, ORIGIN))
  await changeRoots(['/films'])
  t.match(await node.scanned(id), { state: 'completed', counts: { added: 1, missing: 0 } })
  t.strictSame(await shown(), ['Alien', 'Brazil'])
})

t.test('a folder that is added leaves the state of the others as the last scan found it', async (t) => {
  const { node, scan, changeRoots, offline } = await setUp(t, FILMS, ['/films'])
  unplug(node, FILMS)
  node.mediaFiles.put('/films/notes.txt')
  mount(node, '/films', 2)
  t.match(await scan(), { state: 'failed', error: 'root_unavailable' })
  await changeRoots(['/films', '/nowhere', '/films/Kids'])
  t.strictSame(offline(), ['/films unmounted', '/nowhere missing', '/films/Kids missing'])
})

/** Films on a drive that goes away, once it is told to, after the first folder was listed or before the next film is probed. */
function createDrive(films: MemoryMedia, method: 'list' | 'probe') {
  let isGoing = false
  function go(here: typeof method): void {
    if (!isGoing || here !== method) return
    isGoing = false
    films.setHealth('/films', { available: false, reason: 'missing' })
    throw new NotPlayable('The file cannot be read')
  }
  const media: Media = {
    ...films,
    async *list(...asked) {
      for await (const folder of films.list(...asked)) {
        yield folder
        go('list')
      }
    },
    async probe(...asked) {
      go('probe')
      return films.probe(...asked)
    },
  }
  return { media, goAway: () => void (isGoing = true) }
}

for (const [method, when] of [
  ['list', 'folders are walked'],
  ['probe', 'films are read'],
] as const) {
  t.test(`a drive that goes away while its ${when} costs no movie`, async (t) => {
    const cluster = createCluster()
    const { media, goAway } = createDrive(cluster.mediaFiles, method)
    const node = await openNodeFixture(t, { cluster, media, width: 1 })
    for (const path of FILMS) node.mediaFiles.put(path)
    mount(node, '/films', 1)
    const libraryId = await node.newLibrary('/films')
    t.match(await node.scan(libraryId), { state: 'completed', counts: { added: FILMS.length } })
    node.mediaFiles.put('/films/Alien (1979)/Alien (1979).mkv')
    node.mediaFiles.remove(FILMS[0] ?? '')
    goAway()
    t.match(await node.scan(libraryId), { state: 'failed', error: 'root_unavailable', counts: { missing: 0 } })
    t.match(node.access.libraries.get(libraryId)?.roots, [{ available: false, reason: 'missing' }])
    for await (const { available, details } of node.readModels.movies.walk({})) t.ok(available, details.title)
    mount(node, '/films', 1)
    t.match(await node.scan(libraryId), { state: 'completed', counts: { added: 1, missing: 1, unchanged: FILMS.length - 1 } })
    t.strictSame(node.problems, [])
  })
}

t.test('it is told if a folder has lost all of its films at once, not if it has lost most of them', async (t) => {
  const { node, scan } = await setUp(t, FILMS, ['/films'])
  const told = async () => (await node.events()).filter(({ type }) => type === 'LibraryMassMissing').map(({ data }) => data)
  for (const path of FILMS.slice(1)) node.mediaFiles.remove(path)
  t.match(await scan(), { state: 'completed', counts: { missing: 11 } })
  t.strictSame(await told(), [])
  for (const path of FILMS) node.mediaFiles.put(path)
  await scan()
  for (const path of FILMS) node.mediaFiles.remove(path)
  mount(node, '/films', 1, true)
  t.match(await scan(), { state: 'completed', counts: { missing: 12 } })
  t.match(await told(), [{ root: '/films', files: 12 }])
})

t.test('a scan is over when what it has found is shown, not before', async (t) => {
  const cluster = createCluster()
  let opened = Promise.resolve()
  const commit: typeof cluster.store.commit = async (...commits) => {
    if (commits.some(({ collection }) => collection.startsWith('movies_'))) await opened
    return cluster.store.commit(...commits)
  }
  const node = await openNodeFixture(t, { cluster: { ...cluster, store: { ...cluster.store, commit } } })
  node.mediaFiles.put('/films/Alien (1979).mkv')
  const libraryId = await node.newLibrary('/films')
  await node.scan(libraryId)
  // So young that it is read at the end of the scan.
  node.mediaFiles.put('/films/Brazil (1985).mkv', { modifiedAtMs: node.clock.now() })
  const asked = { mode: 'incremental', paths: null, trigger: 'start', startedBy: null } as const
  const scanId = allowed(await node.scans.request(libraryId, asked, { actor: 'cli', command: 'test' }))
  await node.clock.settle()
  const gate = Promise.withResolvers<void>()
  opened = gate.promise
  const ends = async () => (await node.events()).filter(({ type, data }) => type === 'ScanCompleted' && data.scanId === scanId).length
  await node.clock.advance(5_000)
  t.ok((await node.events()).some(({ type, data }) => type === 'MovieFileAdded' && data.path.includes('Brazil')))
  t.equal(await ends(), 0)
  gate.resolve()
  t.match(await node.scanned(scanId), { state: 'completed', counts: { added: 1 } })
  t.equal(await ends(), 1)
  t.equal((await node.movieNamed('Brazil')).available, true)
})
