import t, { type Test } from 'tap'
import type { MovieQuery } from '../../../src/app/movies/movie-query.ts'
import type { PagePoint } from '../../../src/app/read-models/page.ts'
import { iso } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'
import { allowed, openNodeFixture, ORIGIN, type NodeFixture, type Person } from '../../fixtures/node-fixture.ts'

interface Setting {
  readonly node: NodeFixture
  readonly ann: Person
  /** Watches this much of a film in a new session, a minute after the one before. */
  readonly watch: (title: string, positionMs: number, device?: string) => Promise<string>
  readonly titles: (person?: Person) => Promise<readonly string[]>
}

async function setUp(t: Test, ...titles: readonly string[]): Promise<Setting> {
  const node = await openNodeFixture(t)
  const ann = await node.person()
  for (const title of titles) node.mediaFiles.put(`/films/${title} (1927).mkv`)
  await node.scan(await node.newLibrary('/films'))
  return {
    node,
    ann,
    async watch(title, positionMs, device) {
      node.clock.setNow(node.clock.now() + 60_000)
      const { id: movieId } = await node.movieNamed(title)
      const client = device === undefined ? {} : { client: { name: 'app', version: null, device, deviceId: null } }
      const { session } = allowed(await node.playback.start(ann.caller, { movieId, ...client }, ORIGIN))
      allowed(await node.playback.heartbeat(ann.caller, session.id, { positionMs }, ORIGIN))
      allowed(await node.playback.end(ann.caller, session.id, ORIGIN))
      return movieId
    },
    async titles(person = ann) {
      const { items } = await node.playback.continueWatching(person.caller, { limit: 20 })
      return items.map(({ movie }) => movie.details.title)
    },
  }
}

t.test('what was begun is listed newest first, with where it stands and on which device', async (t) => {
  const { ann, node, titles, watch } = await setUp(t, 'Alien', 'Brazil', 'Casablanca')
  await watch('Alien', 600_000)
  await watch('Brazil', 700_000, 'Living room')
  t.strictSame(await titles(), ['Brazil', 'Alien'])
  const { items } = await node.playback.continueWatching(ann.caller, { limit: 20 })
  t.match(items, [
    { movie: { details: { title: 'Brazil' } }, own: { resume: { positionMs: 700_000, durationMs: 5_400_000 } }, device: 'Living room' },
    { own: { resume: { positionMs: 600_000 } }, device: null },
  ])
  t.equal(items[0]?.own.resume?.at, iso(node.clock.now()))
  await watch('Alien', 610_000)
  t.strictSame(await titles(), ['Alien', 'Brazil'])
})

t.test('nobody sees what another one has begun', async (t) => {
  const { node, titles, watch } = await setUp(t, 'Alien')
  await watch('Alien', 600_000)
  t.strictSame(await titles(await node.person()), [])
})

t.test('a session that starts and ends without a reported position neither lists nor wipes anything', async (t) => {
  const { ann, node, titles, watch } = await setUp(t, 'Alien', 'Brazil')
  const alien = await watch('Alien', 600_000)
  const { id: brazil } = await node.movieNamed('Brazil')
  for (const movieId of [alien, brazil]) {
    const started = allowed(await node.playback.start(ann.caller, { movieId }, ORIGIN))
    t.equal(started.resumePositionMs, movieId === alien ? 600_000 : null)
    allowed(await node.playback.end(ann.caller, started.session.id, ORIGIN))
  }
  t.strictSame(await titles(), ['Alien'])
})

t.test('a film marked as watched is off the list for good, also when it was playing', async (t) => {
  const { ann, node, titles, watch } = await setUp(t, 'Alien')
  const movieId = await watch('Alien', 600_000)
  const { session } = allowed(await node.playback.start(ann.caller, { movieId }, ORIGIN))
  allowed(await node.playback.heartbeat(ann.caller, session.id, { positionMs: 650_000 }, ORIGIN))
  t.match(await node.movieMarks.markWatched(ann.caller, movieId, undefined, ORIGIN), { watched: true, playCount: 0 })
  t.strictSame(await titles(), [])
  allowed(await node.playback.end(ann.caller, session.id, ORIGIN))
  t.strictSame(await titles(), [])
  await node.movieMarks.markUnwatched(ann.caller, movieId, ORIGIN)
  t.strictSame(await titles(), [])
})

t.test('marking a watched film again takes away what was begun since, and keeps the first time', async (t) => {
  const { ann, node, titles, watch } = await setUp(t, 'Alien')
  const { id: movieId } = await node.movieNamed('Alien')
  const first = allowed(await node.movieMarks.markWatched(ann.caller, movieId, undefined, ORIGIN))
  await watch('Alien', 600_000)
  t.strictSame(await titles(), ['Alien'])
  t.match(await node.movieMarks.markWatched(ann.caller, movieId, undefined, ORIGIN), { watchedAt: first.watchedAt })
  t.strictSame(await titles(), [])
})

t.test('a dismissed film is off the list with its position kept, and dismissing what is not listed is no fault', async (t) => {
  const { ann, node, titles, watch } = await setUp(t, 'Alien', 'Brazil')
  const movieId = await watch('Alien', 600_000)
  const { id: untouched } = await node.movieNamed('Brazil')
  for (const id of [movieId, movieId, untouched]) t.equal(await node.playback.dismiss(ann.caller, id, ORIGIN), undefined)
  t.strictSame(await titles(), [])
  t.match(await node.movies.get(ann.caller, movieId), { own: { resume: { positionMs: 600_000 } } })
  for (const id of [named('unknown'), 'x']) t.match(await node.playback.dismiss(ann.caller, id, ORIGIN), { refusal: 'not-found' })
})

t.test('if the version of the resume point is gone, another one is offered, at the same share if it is too short', async (t) => {
  const { ann, node, watch } = await setUp(t, 'Alien')
  const movieId = await watch('Alien', 4_000_000)
  const [long] = await node.readModels.filesOf(await node.movieNamed('Alien'))
  if (!long?.media) throw new Error('There is no file')
  const points = async () => (await node.playback.continueWatching(ann.caller, { limit: 20 })).items.map(({ point }) => point)
  t.match(await points(), [{ fileId: long.id, positionMs: 4_000_000, durationMs: 5_400_000 }])
  node.mediaFiles.put('/films/Alien (1927) - short.mkv', { probe: { ...long.media, durationMs: 3_000_000 } })
  node.mediaFiles.remove('/films/Alien (1927).mkv')
  await node.scan((await node.movieNamed('Alien')).libraryId)
  const short = (await node.readModels.filesOf(await node.movieNamed('Alien'))).find(({ path }) => path.includes('short'))
  t.match(await points(), [{ fileId: short?.id, positionMs: 2_222_222, durationMs: 3_000_000 }])
  t.match(await node.playback.start(ann.caller, { movieId }, ORIGIN), { resumePositionMs: 2_222_222 })
})

/** Where the film can be gone on with, according to each list that shows it. */
async function positionsOf({ node, ann }: Setting, movieId: string) {
  const { caller } = ann
  const [item] = (await node.playback.continueWatching(caller, { limit: 20 })).items
  const listed = async (query: Partial<MovieQuery> = {}) => {
    const { items } = await node.movies.list(caller, { sort: 'title', order: 'asc', limit: 20, ...query })
    return items.map(({ own }) => own?.resume?.positionMs)
  }
  const { own } = allowed(await node.movies.get(caller, movieId))
  return {
    row: item?.point,
    rowMovie: item?.own.resume?.positionMs,
    details: own?.resume?.positionMs,
    lists: [await listed(), await listed({ inProgress: true }), await listed({ sort: 'lastPlayedAt' })],
  }
}

t.test('a film whose file was replaced by a shorter one is gone on with at the same share of it, wherever it is shown', async (t) => {
  const setting = await setUp(t, 'Alien')
  const { ann, node, watch } = setting
  const movieId = await watch('Alien', 4_800_000)
  const replace = async (durationMs: number) => {
    const [file] = await node.readModels.filesOf(await node.movieNamed('Alien'))
    if (!file?.media) throw new Error('There is no file')
    node.mediaFiles.put('/films/Alien (1927).mkv', { sizeBytes: durationMs, probe: { ...file.media, durationMs } })
    await node.scan(file.libraryId)
    return (await node.movieNamed('Alien')).files[0]?.id
  }
  const everywhere = (positionMs: number) => ({
    rowMovie: positionMs,
    details: positionMs,
    lists: [[positionMs], [positionMs], [positionMs]],
  })
  const fileId = await replace(4_200_000)
  t.match(await positionsOf(setting, movieId), { row: { fileId, positionMs: 3_733_333, durationMs: 4_200_000 }, ...everywhere(3_733_333) })
  const started = allowed(
    await node.playback.start(ann.caller, { movieId, startPositionMs: 3_733_333, ...(fileId ? { fileId } : {}) }, ORIGIN),
  )
  t.match(started, { resumePositionMs: 3_733_333 })
  allowed(await node.playback.end(ann.caller, started.session.id, ORIGIN))
  t.match(await node.movieMarks.markMany(ann.caller, [{ movieId, watched: false }], ORIGIN), [{ before: { positionMs: 3_733_333 } }])
  await replace(6_000_000)
  t.match(await positionsOf(setting, movieId), { row: { positionMs: 4_800_000, durationMs: 6_000_000 }, ...everywhere(4_800_000) })
})

t.test('a version that is long enough for the resume point is preferred to its own, too short one', async (t) => {
  const setting = await setUp(t, 'Alien')
  const { node, watch } = setting
  const movieId = await watch('Alien', 4_800_000)
  const [file] = await node.readModels.filesOf(await node.movieNamed('Alien'))
  const { media, libraryId } = file ?? {}
  if (!media || !libraryId) throw new Error('There is no file')
  const put = (path: string, durationMs: number) => node.mediaFiles.put(path, { sizeBytes: durationMs, probe: { ...media, durationMs } })
  put('/films/Alien (1927).mkv', 3_000_000)
  put('/films/Alien (1927) - long.mkv', 5_500_000)
  await node.scan(libraryId)
  const long = (await node.readModels.filesOf(await node.movieNamed('Alien'))).find(({ path }) => path.includes('long'))
  t.match(await positionsOf(setting, movieId), {
    row: { fileId: long?.id, positionMs: 4_800_000, durationMs: 5_500_000 },
    details: 4_800_000,
    lists: [[4_800_000], [4_800_000], [4_800_000]],
  })
})

t.test('what is missing or not granted any more is not listed, and comes back with its film', async (t) => {
  const { node, titles, watch } = await setUp(t, 'Alien', 'Brazil')
  await watch('Alien', 600_000)
  const library = (await node.movieNamed('Alien')).libraryId
  node.mediaFiles.move('/films/Alien (1927).mkv', '/elsewhere/Alien (1927).mkv')
  await node.scan(library)
  t.strictSame(await titles(), [])
  node.mediaFiles.move('/elsewhere/Alien (1927).mkv', '/films/Alien (1927).mkv')
  await node.scan(library)
  t.strictSame(await titles(), ['Alien'])
})

t.test('a walk over many films that are gone ends in a short page that says where it goes on', async (t) => {
  const gone = Array.from({ length: 14 }, (_, n) => `Gone ${String.fromCharCode(65 + n)}`)
  const { ann, node, watch } = await setUp(t, 'Alien', 'Brazil', ...gone)
  await watch('Alien', 600_000)
  for (const title of gone) await watch(title, 600_000)
  await watch('Brazil', 600_000)
  for (const title of gone) node.mediaFiles.remove(`/films/${title} (1927).mkv`)
  await node.scan((await node.movieNamed('Alien')).libraryId)
  const found: string[] = []
  let after: PagePoint | null = null
  let pages = 0
  do {
    const page: Awaited<ReturnType<NodeFixture['playback']['continueWatching']>> = await node.playback.continueWatching(ann.caller, {
      limit: 1,
      ...(after ? { after } : {}),
    })
    found.push(...page.items.map(({ movie }) => movie.details.title))
    after = page.next
    pages++
  } while (after && pages < 20)
  t.strictSame(found, ['Brazil', 'Alien'])
  t.ok(pages > 1)
})
