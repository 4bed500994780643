import t, { type Test } from 'tap'
import type { MemoryFile } from '../../../src/adapters/memory/media.ts'
import type { LibraryId, MovieId } from '../../../src/vocabulary/id.ts'
import type { RecordedEvent } from '../../../src/events/recorded.ts'
import { mediaOf } from '../../fixtures/movie-facts.ts'
import { iso } from '../../fixtures/given.ts'
import { allowed, openNodeFixture, ORIGIN, type NodeFixture, type Person } from '../../fixtures/node-fixture.ts'

const METROPOLIS = '/films/Metropolis (1927).mkv'
const ALIEN = '/films/Alien (1979)/Alien.mkv'

interface Setting {
  readonly node: NodeFixture
  readonly ann: Person
  readonly libraryId: LibraryId
  readonly scan: () => ReturnType<NodeFixture['scan']>
  /** Ids of the visible movies, by title. */
  readonly shown: () => Promise<Readonly<Record<string, MovieId>>>
  readonly fileOf: (title: string) => Promise<{ readonly path: string | undefined; readonly count: number }>
}

async function setUp(
  t: Test,
  films: Readonly<Record<string, MemoryFile>> = { [METROPOLIS]: {}, [ALIEN]: {} },
  roots = ['/films'],
): Promise<Setting> {
  const node = await openNodeFixture(t)
  const ann = await node.person()
  for (const [path, file] of Object.entries(films)) node.mediaFiles.put(path, file)
  const libraryId = await node.newLibrary(...roots)
  async function scan(): ReturnType<NodeFixture['scan']> {
    const ended = await node.scan(libraryId)
    t.strictSame(node.problems, [], 'nothing went wrong inside')
    return ended
  }
  t.match(await scan(), { state: 'completed' })
  return {
    node,
    ann,
    libraryId,
    scan,
    async shown() {
      const found: [string, MovieId][] = []
      for await (const { available, details, id } of node.readModels.movies.walk({})) if (available) found.push([details.title, id])
      return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)))
    },
    async fileOf(title) {
      const { files } = await node.movieNamed(title)
      return { path: files.find(({ available }) => available)?.path, count: files.length }
    },
  }
}

/** A user's actions on a film, to check later. */
async function liveWith({ node, ann }: Setting, title: string) {
  const { id, addedAt } = await node.movieNamed(title)
  allowed(await node.movieMarks.markWatched(ann.caller, id, '2020-05-05T20:15:00.000Z', ORIGIN))
  const { session } = allowed(await node.playback.start(ann.caller, { movieId: id }, ORIGIN))
  allowed(await node.playback.heartbeat(ann.caller, session.id, { positionMs: 1_830_500 }, ORIGIN))
  allowed(await node.playback.end(ann.caller, session.id, ORIGIN))
  node.clock.setNow(node.clock.now() + 3_600_000)
  return { id, addedAt }
}

/** All of them must still be there. */
async function stillLivesWith(t: Test, { node, ann }: Setting, known: { readonly id: MovieId; readonly addedAt: string }): Promise<void> {
  t.match(await node.movies.get(ann.caller, known.id), {
    movie: { card: { addedAt: known.addedAt, available: true } },
    own: { watched: true, watchedAt: '2020-05-05T20:15:00.000Z', resume: { positionMs: 1_830_500 } },
  })
  const { items } = await node.playback.continueWatching(ann.caller, { limit: 20 })
  t.ok(
    items.some(({ movie }) => movie.id === known.id),
    'and it is on the list of what to go on with',
  )
}

const movieEventsAfter = async (node: NodeFixture, count: number): Promise<readonly RecordedEvent[]> =>
  (await node.events()).slice(count).filter(({ stream }) => stream.startsWith('movie-'))

t.test('watched state and resume point survive that a file is renamed', async (t) => {
  const setting = await setUp(t)
  const known = await liveWith(setting, 'Metropolis')
  setting.node.mediaFiles.move(METROPOLIS, '/films/Metropolis.1927.1080p.BluRay.x264.mkv')
  t.match(await setting.scan(), { counts: { moved: 1, added: 0, missing: 0, unchanged: 1 } })
  t.equal((await setting.shown())['Metropolis'], known.id)
  t.strictSame(await setting.fileOf('Metropolis'), { path: '/films/Metropolis.1927.1080p.BluRay.x264.mkv', count: 1 })
  await stillLivesWith(t, setting, known)
})

t.test('watched state and resume point survive that a file gets another name altogether', async (t) => {
  const setting = await setUp(t)
  const known = await liveWith(setting, 'Metropolis')
  setting.node.mediaFiles.move(METROPOLIS, '/films/Fritz Lang/Die Stadt der Zukunft (1927).mkv')
  t.match(await setting.scan(), { counts: { moved: 1, added: 0, missing: 0 } })
  t.equal((await setting.node.movieNamed('Die Stadt der Zukunft')).id, known.id)
  await stillLivesWith(t, setting, known)
})

t.test('watched state and resume point survive that a file is moved while nobody looks, and found a scan later', async (t) => {
  const setting = await setUp(t)
  const known = await liveWith(setting, 'Metropolis')
  setting.node.mediaFiles.move(METROPOLIS, '/attic/Metropolis (1927).mkv')
  t.match(await setting.scan(), { counts: { missing: 1 } })
  t.notOk('Metropolis' in (await setting.shown()))
  setting.node.mediaFiles.move('/attic/Metropolis (1927).mkv', '/films/old/Metropolis (1927).mkv')
  t.match(await setting.scan(), { counts: { moved: 1, added: 0 } })
  await stillLivesWith(t, setting, known)
})

t.test('watched state and resume point survive that a file is replaced by another one under its name', async (t) => {
  const setting = await setUp(t)
  const known = await liveWith(setting, 'Metropolis')
  setting.node.mediaFiles.put(METROPOLIS, {
    content: 'a better one',
    sizeBytes: 9e9,
    modifiedAtMs: 1_767_300_000_000,
    probe: mediaOf(6_000_000),
  })
  t.match(await setting.scan(), { counts: { updated: 1, added: 0, missing: 0 } })
  t.match((await setting.node.movieNamed('Metropolis')).files, [{ sizeBytes: 9e9, durationMs: 6_000_000 }])
  await stillLivesWith(t, setting, known)
})

t.test('watched state and resume point survive an upgrade under another name, the old file gone at once', async (t) => {
  const setting = await setUp(t)
  const known = await liveWith(setting, 'Metropolis')
  setting.node.mediaFiles.remove(METROPOLIS)
  setting.node.mediaFiles.put('/films/Metropolis (1927) - 2160p.mkv', { content: 'a better one' })
  t.match(await setting.scan(), { counts: { added: 1, missing: 1 } })
  t.strictSame(await setting.fileOf('Metropolis'), { path: '/films/Metropolis (1927) - 2160p.mkv', count: 2 })
  await stillLivesWith(t, setting, known)
})

t.test('watched state and resume point survive that both versions are there for a while, then only the new one', async (t) => {
  const setting = await setUp(t)
  const known = await liveWith(setting, 'Metropolis')
  setting.node.mediaFiles.put('/films/Metropolis (1927) - 2160p.mkv', { content: 'a better one' })
  t.match(await setting.scan(), { counts: { added: 1, missing: 0 } })
  t.strictSame(Object.keys(await setting.shown()), ['Alien', 'Metropolis'], 'one movie, two files')
  setting.node.mediaFiles.remove(METROPOLIS)
  t.match(await setting.scan(), { counts: { added: 0, missing: 1 } })
  t.equal((await setting.fileOf('Metropolis')).path, '/films/Metropolis (1927) - 2160p.mkv')
  await stillLivesWith(t, setting, known)
})

for (const mode of ['incremental', 'full'] as const) {
  t.test(`the images of a version that is gone give way to those of the remaining one in an ${mode} scan`, async (t) => {
    const [first, second] = ['/films/Metropolis (1927)', '/films/Metropolis (1927) 4K']
    const { node, libraryId } = await setUp(t, {
      [`${first}/Metropolis.mkv`]: {},
      [`${first}/poster.jpg`]: {},
      [`${second}/Metropolis.mkv`]: { content: 'a better one' },
      [`${second}/poster.jpg`]: {},
    })
    const poster = async () => node.readModels.images.get((await node.movieNamed('Metropolis')).card.poster ?? '')
    t.match(await poster(), { path: `${first}/poster.jpg` })
    node.mediaFiles.remove(`${first}/Metropolis.mkv`)
    node.mediaFiles.remove(`${first}/poster.jpg`)
    t.match(await node.scan(libraryId, { mode }), { state: 'completed', counts: { seen: 1, missing: 1, updated: 1, unchanged: 0 } })
    t.match(await poster(), { path: `${second}/poster.jpg` })
  })
}

t.test('when two files are swapped each movie keeps what was done with it', async (t) => {
  const setting = await setUp(t)
  const known = await liveWith(setting, 'Metropolis')
  const { id: alien } = await setting.node.movieNamed('Alien')
  const { mediaFiles } = setting.node
  mediaFiles.put(METROPOLIS, { content: ALIEN, sizeBytes: 700 })
  mediaFiles.put(ALIEN, { content: METROPOLIS, sizeBytes: 800 })
  t.match(await setting.scan(), { counts: { updated: 2, added: 0, missing: 0 } })
  t.strictSame(await setting.shown(), { Alien: alien, Metropolis: known.id })
  await stillLivesWith(t, setting, known)
  t.match(await setting.node.movies.get(setting.ann.caller, alien), { own: null })
})

t.test('a drive that is away costs no movie; one scan after its return all of it is there', async (t) => {
  const setting = await setUp(t)
  const { node } = setting
  const known = await liveWith(setting, 'Metropolis')
  const before = (await node.events()).length
  node.mediaFiles.setHealth('/films', { available: false, reason: 'missing' })
  t.match(await setting.scan(), { state: 'failed', error: 'root_unavailable' })
  t.strictSame(await movieEventsAfter(node, before), [])
  t.match(node.access.libraries.get(setting.libraryId)?.roots, [{ available: false, reason: 'missing' }])
  t.strictSame(Object.keys(await setting.shown()), ['Alien', 'Metropolis'])
  node.mediaFiles.setHealth('/films', { available: true, device: 1, empty: false })
  t.match(await setting.scan(), { state: 'completed', counts: { unchanged: 2, missing: 0 } })
  t.match(node.access.libraries.get(setting.libraryId)?.roots, [{ available: true, reason: null }])
  t.strictSame(await movieEventsAfter(node, before), [])
  await stillLivesWith(t, setting, known)
})

t.test('an empty mount point on another device is a drive that is not mounted', async (t) => {
  const setting = await setUp(t)
  const { node } = setting
  const before = (await node.events()).length
  for (const path of [METROPOLIS, ALIEN]) node.mediaFiles.move(path, `/unmounted${path}`)
  node.mediaFiles.setHealth('/films', { available: true, device: 2, empty: true })
  t.match(await setting.scan(), { state: 'failed', error: 'root_unavailable' })
  t.strictSame(await movieEventsAfter(node, before), [])
  t.equal(node.access.libraries.get(setting.libraryId)?.roots[0]?.available, false)
})

t.test('one of two drives away fails the scan without touching the other one', async (t) => {
  const setting = await setUp(t, { '/a/Alien (1979).mkv': {}, '/b/Brazil (1985).mkv': {} }, ['/a', '/b'])
  const { node } = setting
  const before = (await node.events()).length
  node.mediaFiles.remove('/a/Alien (1979).mkv')
  node.mediaFiles.setHealth('/a', { available: true, device: 1, empty: true })
  node.mediaFiles.setHealth('/b', { available: false, reason: 'unreadable' })
  t.match(await setting.scan(), { state: 'failed', error: 'root_unavailable' })
  t.strictSame(await movieEventsAfter(node, before), [])
})

t.test('a folder that is taken out of the library during a scan has no films when the scan ends', async (t) => {
  const { node, ann, libraryId, shown } = await setUp(t, { '/a/Alien (1979).mkv': {}, '/b/Brazil (1985).mkv': {} }, ['/a', '/b'])
  // So young that they are read at the end of the scan.
  const young = { modifiedAtMs: node.clock.now() }
  for (const path of ['/a/Metropolis (1927).mkv', '/b/Sunrise (1927).mkv']) node.mediaFiles.put(path, young)
  const request = { mode: 'incremental', paths: null, trigger: 'start', startedBy: null } as const
  const scanId = allowed(await node.scans.request(libraryId, request, { actor: 'cli', command: 'test' }))
  await node.clock.settle()
  t.strictSame(Object.keys(await shown()), ['Alien', 'Brazil'])
  allowed(await node.libraries.change(ann.caller, libraryId, { roots: ['/b'] }, ORIGIN))
  t.match(await node.scanned(scanId), { state: 'completed', counts: { added: 2 } })
  t.strictSame(Object.keys(await shown()), ['Brazil', 'Sunrise'])
})

t.test('a folder that was always empty can be scanned', async (t) => {
  const { node } = await setUp(t)
  node.mediaFiles.setHealth('/empty', { available: true, device: 1, empty: true })
  const empty = await node.newLibrary('/empty')
  for (let n = 0; n < 2; n++) t.match(await node.scan(empty), { state: 'completed', counts: { seen: 0, missing: 0 } })
})

t.test('the time a movie was added is written once', async (t) => {
  const setting = await setUp(t)
  const { node } = setting
  const { addedAt } = await node.movieNamed('Metropolis')
  node.clock.setNow(node.clock.now() + 86_400_000)
  node.mediaFiles.put(METROPOLIS, { content: 'a better one', sizeBytes: 9e9 })
  await setting.scan()
  node.mediaFiles.put('/films/Metropolis (1927) - 2160p.mkv', { content: 'the best one' })
  await setting.scan()
  t.equal((await node.movieNamed('Metropolis')).addedAt, addedAt)
  t.ok(addedAt < iso(node.clock.now()))
})

t.test('what has not changed is neither probed nor written down again', async (t) => {
  const setting = await setUp(t)
  const { node } = setting
  const before = (await node.events()).length
  t.match(await setting.scan(), { counts: { seen: 2, unchanged: 2, added: 0, updated: 0, errors: 0 } })
  t.strictSame(await movieEventsAfter(node, before), [])
  t.strictSame([...node.mediaFiles.probes.values()], [1, 1])
})

t.test('a full scan probes everything again, and writes down only what is new', async (t) => {
  const setting = await setUp(t)
  const { node } = setting
  const before = (await node.events()).length
  t.match(await node.scan(setting.libraryId, { mode: 'full' }), { state: 'completed', counts: { seen: 2 } })
  t.strictSame(await movieEventsAfter(node, before), [])
  t.strictSame([...node.mediaFiles.probes.values()], [2, 2])
})

t.test('a file that is no film is an error of the scan and not its end', async (t) => {
  const setting = await setUp(t)
  const { node } = setting
  node.mediaFiles.put('/films/sub/Broken (2000).mkv', { probe: 'It is damaged' })
  node.mediaFiles.put('/films/sub/Brazil (1985).mkv')
  t.match(await setting.scan(), {
    state: 'completed',
    counts: { added: 1, errors: 1, seen: 4, unchanged: 2 },
    errors: [{ file: 'sub/Broken (2000).mkv', message: 'It is damaged' }],
  })
  t.strictSame(Object.keys(await setting.shown()), ['Alien', 'Brazil', 'Metropolis'])
})

t.test('a film whose description is too large for the log is an error of the scan and not its end', async (t) => {
  const setting = await setUp(t)
  const chapters = Array.from({ length: 30_000 }, (_, n) => ({ startMs: n, title: 'a chapter with a long title, again and again' }))
  setting.node.mediaFiles.put('/films/Endless (2000).mkv', { probe: mediaOf(5_000_000, { chapters }) })
  t.match(await setting.scan(), { state: 'completed', counts: { errors: 1 }, errors: [{ file: 'Endless (2000).mkv' }] })
})

t.test('what lies in a folder that cannot be read is not missing', async (t) => {
  const setting = await setUp(t)
  const { node } = setting
  node.mediaFiles.setProblem('/films/Alien (1979)', 'Permission denied')
  t.match(await setting.scan(), {
    state: 'completed',
    counts: { missing: 0, errors: 1 },
    errors: [{ file: 'Alien (1979)', message: 'Permission denied' }],
  })
  t.ok('Alien' in (await setting.shown()))
})

t.test('a file that is gone is missing, its movie hidden; when it returns everything of it is back', async (t) => {
  const setting = await setUp(t)
  const { node } = setting
  const known = await liveWith(setting, 'Metropolis')
  node.mediaFiles.move(METROPOLIS, '/attic/m.mkv')
  t.match(await setting.scan(), { counts: { missing: 1, unchanged: 1 } })
  t.strictSame(Object.keys(await setting.shown()), ['Alien'])
  t.match(await setting.scan(), { counts: { missing: 0 } }, 'and is noted once')
  node.mediaFiles.move('/attic/m.mkv', METROPOLIS)
  t.match(await setting.scan(), { counts: { restored: 1, added: 0 } })
  t.equal(node.mediaFiles.probes.get(METROPOLIS), 1, 'without a probe: it is the same')
  await stillLivesWith(t, setting, known)
})

t.test('files are versions of one movie by title and year, or by an explicit id; ids that differ make two movies', async (t) => {
  const setting = await setUp(t, {
    '/films/Dune (1984).mkv': {},
    '/films/other/DUNE (1984) - Extended.mkv': {},
    '/films/Dune (2021).mkv': {},
    '/films/Solaris (1972) {tmdb-593}.mkv': {},
    '/films/Solyaris (1972) {tmdb-593}.mkv': {},
    '/films/Solaris (1972) {tmdb-999}.mkv': {},
  })
  const counts: Record<string, number> = {}
  for await (const { details, files } of setting.node.readModels.movies.walk({})) {
    counts[`${details.year} ${details.externalIds.tmdb ?? '-'}`] = files.length
  }
  t.strictSame(counts, { '1984 -': 2, '2021 -': 1, '1972 593': 2, '1972 999': 1 })
})

t.test('many versions of one movie that are found at once become one movie', async (t) => {
  const node = await openNodeFixture(t, { width: 8 })
  for (let n = 0; n < 16; n++) node.mediaFiles.put(`/films/${n}/Brazil (1985).mkv`)
  t.match(await node.scan(await node.newLibrary('/films')), { state: 'completed', counts: { added: 16, errors: 0 } })
  t.equal((await node.movieNamed('Brazil')).files.length, 16)
})

t.test('an .nfo beside a film names it, and a change of it is noticed without a probe', async (t) => {
  const nfo = (title: string): string => `<movie><title>${title}</title><year>1979</year></movie>`
  const setting = await setUp(t, { [ALIEN]: {}, '/films/Alien (1979)/Alien.nfo': { content: nfo('Alien: the first') } })
  t.strictSame(Object.keys(await setting.shown()), ['Alien: the first'])
  setting.node.mediaFiles.put('/films/Alien (1979)/Alien.nfo', { content: nfo('Alien: the very first') })
  t.match(await setting.scan(), { counts: { updated: 1 } })
  t.strictSame(Object.keys(await setting.shown()), ['Alien: the very first'])
  t.equal(setting.node.mediaFiles.probes.get(ALIEN), 1)
})

t.test('a scan of one folder leaves all others alone, however the folder is spelled', async (t) => {
  const setting = await setUp(t)
  const { node, libraryId } = setting
  node.mediaFiles.remove(METROPOLIS)
  node.mediaFiles.put('/films/Brazil (1985).mkv')
  node.mediaFiles.put('/films/Alien (1979)/Alien - Director’s Cut.mkv', { content: 'another cut' })
  const before = (await node.events()).length
  t.match(await node.scan(libraryId, { paths: ['/films//Alien (1979)/'] }), {
    state: 'completed',
    counts: { seen: 2, added: 1, missing: 0 },
  })
  const types = new Set((await movieEventsAfter(node, before)).map(({ type }) => type))
  t.strictSame(types, new Set(['MovieFileAdded', 'MovieProbed']), 'the movie is called what it was called before')
  t.strictSame(Object.keys(await setting.shown()), ['Alien', 'Metropolis'])
})

t.test('a scan of a folder that is gone notes what was in it', async (t) => {
  const setting = await setUp(t)
  setting.node.mediaFiles.remove(ALIEN)
  t.match(await setting.node.scan(setting.libraryId, { paths: ['/films/Alien (1979)'] }), { state: 'completed', counts: { missing: 1 } })
  t.strictSame(Object.keys(await setting.shown()), ['Metropolis'])
})

t.test('a scan of a folder that is there but cannot be read loses nothing of it', async (t) => {
  const setting = await setUp(t)
  setting.node.mediaFiles.setProblem('/films/Alien (1979)', 'Permission denied')
  t.match(await setting.node.scan(setting.libraryId, { paths: ['/films/Alien (1979)'] }), {
    state: 'completed',
    counts: { missing: 0, errors: 1 },
    errors: [{ file: 'Alien (1979)', message: 'It cannot be read as a folder' }],
  })
  t.strictSame(Object.keys(await setting.shown()), ['Alien', 'Metropolis'])
})

t.test('a copy of a film in a folder that is scanned alone is no move of the film that stands elsewhere', async (t) => {
  const setting = await setUp(t)
  const { node, libraryId } = setting
  node.mediaFiles.put('/films/copies/Metropolis (1927).mkv', { content: METROPOLIS })
  t.match(await node.scan(libraryId, { paths: ['/films/copies'] }), { counts: { added: 1, moved: 0 } })
  t.strictSame(await setting.fileOf('Metropolis'), { path: METROPOLIS, count: 2 })
})

t.test('a film that was moved into a folder that is scanned alone has moved', async (t) => {
  const setting = await setUp(t)
  const known = await liveWith(setting, 'Metropolis')
  setting.node.mediaFiles.move(METROPOLIS, '/films/new/Metropolis (1927).mkv')
  t.match(await setting.node.scan(setting.libraryId, { paths: ['/films/new'] }), { counts: { added: 0, moved: 1 } })
  await stillLivesWith(t, setting, known)
})

t.test('a folder that lies below another root, or is named twice in a scan, is looked at once', async (t) => {
  const setting = await setUp(t, { [ALIEN]: {}, [METROPOLIS]: {} }, ['/films', '/films/Alien (1979)'])
  t.equal((await setting.fileOf('Alien')).count, 1)
  setting.node.mediaFiles.put('/films/new/Brazil (1985).mkv')
  t.match(await setting.node.scan(setting.libraryId, { paths: ['/films/new', '/films', '/films/new'] }), { counts: { added: 1, seen: 3 } })
  t.equal((await setting.fileOf('Brazil')).count, 1)
})

t.test('a film that grows while it is scanned is read again before the scan ends', async (t) => {
  const setting = await setUp(t)
  const { node, libraryId } = setting
  const path = '/films/Brazil (1985).mkv'
  node.mediaFiles.put(path, { content: 'half', sizeBytes: 500, modifiedAtMs: node.clock.now(), probe: mediaOf(60_000) })
  const scanId = allowed(
    await node.scans.request(
      libraryId,
      { mode: 'incremental', paths: null, trigger: 'start', startedBy: null },
      { actor: 'cli', command: 'test' },
    ),
  )
  await node.clock.settle()
  node.mediaFiles.put(path, { content: 'whole', sizeBytes: 1000, modifiedAtMs: node.clock.now() + 100, probe: mediaOf(8_000_000) })
  t.match(await node.scanned(scanId), { state: 'completed', counts: { errors: 0 } })
  t.match((await node.movieNamed('Brazil')).files, [{ sizeBytes: 1000, durationMs: 8_000_000 }])
})

t.test('a scan reports its phases in order, and takes half a second at least', async (t) => {
  const { node, libraryId } = await setUp(t)
  const before = (await node.events()).length
  const startedAt = node.clock.now()
  await node.scan(libraryId)
  const told = (await node.events()).slice(before).filter(({ stream }) => stream.startsWith('scan-'))
  const phases = told.flatMap(({ data }) => ('phase' in data ? [data.phase] : []))
  t.strictSame([...new Set(phases)], ['probing', 'matching', 'settling'])
  t.equal(told[0]?.type, 'ScanRequested')
  t.equal(told[1]?.type, 'ScanStarted')
  t.equal(told.at(-1)?.type, 'ScanCompleted')
  t.ok(node.clock.now() - startedAt >= 500)
})
