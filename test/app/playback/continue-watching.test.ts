import t, { type Test } from 'tap'
import type { PagePoint } from '../../../src/app/read-models/page.ts'
import { iso } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'
import { allowed, openHouse, ORIGIN, type House, type Person } from '../../fixtures/house.ts'

interface Setting {
  readonly house: House
  readonly ann: Person
  /** Watches so much of a film in a session of its own, a minute after the one before. */
  readonly watch: (title: string, positionMs: number, device?: string) => Promise<string>
  readonly titles: (person?: Person) => Promise<readonly string[]>
}

async function setUp(t: Test, ...titles: readonly string[]): Promise<Setting> {
  const house = await openHouse(t)
  const ann = await house.person()
  for (const title of titles) house.films.put(`/films/${title} (1927).mkv`)
  await house.scan(await house.newLibrary('/films'))
  return {
    house,
    ann,
    async watch(title, positionMs, device) {
      house.clock.setNow(house.clock.now() + 60_000)
      const { id: movieId } = await house.movieNamed(title)
      const client = device === undefined ? {} : { client: { name: 'app', version: null, device, deviceId: null } }
      const { session } = allowed(await house.playback.start(ann.caller, { movieId, ...client }, ORIGIN))
      allowed(await house.playback.heartbeat(ann.caller, session.id, { positionMs }, ORIGIN))
      allowed(await house.playback.end(ann.caller, session.id, ORIGIN))
      return movieId
    },
    async titles(person = ann) {
      const { items } = await house.playback.continueWatching(person.caller, { limit: 20 })
      return items.map(({ movie }) => movie.details.title)
    },
  }
}

t.test('what was begun is listed newest first, with where it stands and on which device', async (t) => {
  const { ann, house, titles, watch } = await setUp(t, 'Alien', 'Brazil', 'Casablanca')
  await watch('Alien', 600_000)
  await watch('Brazil', 700_000, 'Living room')
  t.strictSame(await titles(), ['Brazil', 'Alien'])
  const { items } = await house.playback.continueWatching(ann.caller, { limit: 20 })
  t.match(items, [
    { movie: { details: { title: 'Brazil' } }, own: { resume: { positionMs: 700_000, durationMs: 5_400_000 } }, device: 'Living room' },
    { own: { resume: { positionMs: 600_000 } }, device: null },
  ])
  t.equal(items[0]?.own.resume?.at, iso(house.clock.now()))
  await watch('Alien', 610_000)
  t.strictSame(await titles(), ['Alien', 'Brazil'])
})

t.test('nobody sees what another one has begun', async (t) => {
  const { house, titles, watch } = await setUp(t, 'Alien')
  await watch('Alien', 600_000)
  t.strictSame(await titles(await house.person()), [])
})

t.test('a session that starts, and ends without a position told, neither lists nor wipes anything', async (t) => {
  const { ann, house, titles, watch } = await setUp(t, 'Alien', 'Brazil')
  const alien = await watch('Alien', 600_000)
  const { id: brazil } = await house.movieNamed('Brazil')
  for (const movieId of [alien, brazil]) {
    const started = allowed(await house.playback.start(ann.caller, { movieId }, ORIGIN))
    t.equal(started.resumePositionMs, movieId === alien ? 600_000 : null)
    allowed(await house.playback.end(ann.caller, started.session.id, ORIGIN))
  }
  t.strictSame(await titles(), ['Alien'])
})

t.test('a film marked as watched is off the list for good, also when it was playing', async (t) => {
  const { ann, house, titles, watch } = await setUp(t, 'Alien')
  const movieId = await watch('Alien', 600_000)
  const { session } = allowed(await house.playback.start(ann.caller, { movieId }, ORIGIN))
  allowed(await house.playback.heartbeat(ann.caller, session.id, { positionMs: 650_000 }, ORIGIN))
  t.match(await house.movieMarks.markWatched(ann.caller, movieId, undefined, ORIGIN), { watched: true, playCount: 0 })
  t.strictSame(await titles(), [])
  allowed(await house.playback.end(ann.caller, session.id, ORIGIN))
  t.strictSame(await titles(), [])
  await house.movieMarks.markUnwatched(ann.caller, movieId, ORIGIN)
  t.strictSame(await titles(), [])
})

t.test('marking a watched film again takes away what was begun since, and keeps the first time', async (t) => {
  const { ann, house, titles, watch } = await setUp(t, 'Alien')
  const { id: movieId } = await house.movieNamed('Alien')
  const first = allowed(await house.movieMarks.markWatched(ann.caller, movieId, undefined, ORIGIN))
  await watch('Alien', 600_000)
  t.strictSame(await titles(), ['Alien'])
  t.match(await house.movieMarks.markWatched(ann.caller, movieId, undefined, ORIGIN), { watchedAt: first.watchedAt })
  t.strictSame(await titles(), [])
})

t.test('a dismissed film is off the list with its position kept, and dismissing what is not listed is no fault', async (t) => {
  const { ann, house, titles, watch } = await setUp(t, 'Alien', 'Brazil')
  const movieId = await watch('Alien', 600_000)
  const { id: untouched } = await house.movieNamed('Brazil')
  for (const id of [movieId, movieId, untouched]) t.equal(await house.playback.dismiss(ann.caller, id, ORIGIN), undefined)
  t.strictSame(await titles(), [])
  t.match(await house.movies.get(ann.caller, movieId), { own: { resume: { positionMs: 600_000 } } })
  for (const id of [named('unknown'), 'x']) t.match(await house.playback.dismiss(ann.caller, id, ORIGIN), { refusal: 'not-found' })
})

t.test('what is missing or not granted any more is not listed, and comes back with its film', async (t) => {
  const { house, titles, watch } = await setUp(t, 'Alien', 'Brazil')
  await watch('Alien', 600_000)
  const library = (await house.movieNamed('Alien')).libraryId
  house.films.move('/films/Alien (1927).mkv', '/elsewhere/Alien (1927).mkv')
  await house.scan(library)
  t.strictSame(await titles(), [])
  house.films.move('/elsewhere/Alien (1927).mkv', '/films/Alien (1927).mkv')
  await house.scan(library)
  t.strictSame(await titles(), ['Alien'])
})

t.test('a walk over many films that are gone ends in a short page that says where it goes on', async (t) => {
  const gone = Array.from({ length: 14 }, (_, n) => `Gone ${String.fromCharCode(65 + n)}`)
  const { ann, house, watch } = await setUp(t, 'Alien', 'Brazil', ...gone)
  await watch('Alien', 600_000)
  for (const title of gone) await watch(title, 600_000)
  await watch('Brazil', 600_000)
  for (const title of gone) house.films.remove(`/films/${title} (1927).mkv`)
  await house.scan((await house.movieNamed('Alien')).libraryId)
  const found: string[] = []
  let after: PagePoint | null = null
  let pages = 0
  do {
    const page: Awaited<ReturnType<House['playback']['continueWatching']>> = await house.playback.continueWatching(ann.caller, {
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
