import t, { type Test } from 'tap'
import { createTestClock, type TestClock } from '../../../src/adapters/memory/clock.ts'
import { createOnlineKeeping } from '../../../src/app/online/online-keeping.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import type { DomainEvent } from '../../../src/events/catalogue.ts'
import { OnlineAway, OnlineRefused } from '../../../src/ports/online-metadata.ts'
import { createScriptedProvider, filmOf } from '../scripted-provider.ts'
import { allowed, openHouse, ORIGIN, type House } from '../../fixtures/house.ts'

const ALIEN = filmOf('Alien', 1979, {
  overview: 'In space.',
  cast: [{ name: 'Sigourney Weaver', character: 'Ripley', picture: '/ripley.jpg' }],
})
const BRAZIL = filmOf('Brazil', 1985, { overview: 'In an office.' })
const AWAY = new OnlineAway('It does not answer')
const HOUR_MS = 3_600_000
const pin = (tmdb: string) => ({ tmdb, imdb: null, title: null, year: null })

async function furnished(t: Test, files: readonly string[]) {
  const provider = createScriptedProvider({ 348: ALIEN, 68: BRAZIL })
  const house = await openHouse(t, { online: provider })
  for (const file of files) house.films.put(`/films/${file}`)
  const libraryId = await house.newLibrary('/films')
  await house.scan(libraryId)
  const { documents, freshness, onlineFinder: finder } = house
  if (!finder) throw new Error('There is no finder')
  const problems: string[] = []
  const problem = (cause: unknown) => void problems.push(cause instanceof Error ? cause.message : String(cause))
  // One of its own: an hour of the whole house takes long.
  const clock = createTestClock()
  const task = createOnlineKeeping({ clock, documents, finder, freshness, log: house.town.log, problem })
  const running: (() => Promise<void>)[] = []
  t.teardown(() => Promise.all(running.map((stop) => stop())))
  /** Gives what ends it. */
  function keep(): () => Promise<void> {
    const keeping = new AbortController()
    const kept = task(keeping.signal).catch((cause: unknown) => void (keeping.signal.aborted || problem(cause)))
    const stop = async (): Promise<void> => {
      keeping.abort()
      await kept
    }
    running.push(stop)
    return stop
  }
  const admin = (await house.person({ role: 'admin' })).caller
  return { house, clock, provider, libraryId, problems, keep, admin }
}

/** Lets time pass in small steps until it holds. */
async function until(
  { house, clock }: { readonly house: House; readonly clock: TestClock },
  holds: () => Promise<boolean> | boolean,
  stepMs = 10,
): Promise<void> {
  for (let turn = 0; turn < 500; turn++) {
    if (await holds()) return
    await clock.advance(stepMs)
    await house.clock.advance(10)
  }
  throw new Error('It does not come to that')
}

const overviewOf = async (house: House, file: string): Promise<string | null> => {
  for await (const movie of house.documents.movies.walk({})) if (movie.found.details.title === file) return movie.details.overview
  throw new Error(`There is no ${file}`)
}
const matches = async (house: House): Promise<readonly DomainEvent[]> =>
  (await house.events()).filter(({ type }) => type === 'MovieMatchedOnline' || type === 'MovieUnmatchedOnline')

t.test('what was there at the start and what a scan brings is found online, once, and rescans change nothing of it', async (t) => {
  const furniture = await furnished(t, ['Alien (1979).mkv', 'Nowhere Known (1999).mkv'])
  const { house, clock, provider, libraryId, keep } = furniture
  const stop = keep()
  await until(furniture, async () => (await overviewOf(house, 'Alien')) === 'In space. (en)')
  house.films.put('/films/Brazil (1985).mkv')
  await house.scan(libraryId)
  await until(furniture, async () => (await overviewOf(house, 'Brazil')) === 'In an office. (en)')
  const [first] = await matches(house)
  t.match(first, { metadata: { actor: 'system', command: 'matchOnline' }, data: { provider: 'tmdb', confidence: 0.9, language: 'en' } })
  t.match((await house.movieNamed('Nowhere Known')).match, { source: 'name', pinned: false })

  await house.scan(libraryId, { mode: 'full' })
  await clock.advance(1000)
  await stop()
  keep()
  await clock.advance(1000)
  t.equal((await matches(house)).length, 2, 'nothing is told again')
  t.equal(provider.asked.filter((ask) => ask.startsWith('film')).length, 2)
  t.match((await house.movieNamed('Alien')).match, { source: 'tmdb', confidence: 0.9 })
})

t.test('a provider that is away during a whole scan costs no film, and what it says comes when it is back', async (t) => {
  const furniture = await furnished(t, ['Alien (1979).mkv', 'Brazil (1985).mkv'])
  const { house, clock, provider, libraryId, keep, problems } = furniture
  provider.fail(AWAY)
  keep()
  await clock.advance(HOUR_MS)
  house.films.put('/films/Third (2001).mkv')
  await house.scan(libraryId)
  await house.seen()
  for (const title of ['Alien', 'Brazil', 'Third']) t.match(await house.movieNamed(title), { match: { source: 'name' }, available: true })
  const asked = provider.asked.length
  await clock.advance(HOUR_MS)
  t.ok(provider.asked.length - asked < 60, `it is left alone for the most part: ${provider.asked.length - asked} asks an hour`)
  provider.fail()
  await until(furniture, async () => (await matches(house)).length === 2, 60_000)
  await house.seen()
  t.equal(await overviewOf(house, 'Alien'), 'In space. (en)')
  t.equal(await overviewOf(house, 'Brazil'), 'In an office. (en)')
  t.strictSame(problems, ['It does not answer. Films that are not found online for that are looked up later'], 'told once')
})

t.test('a film that comes while a long list is looked through is not kept waiting for its end', async (t) => {
  const furniture = await furnished(t, ['Alien (1979).mkv'])
  const { house, provider, libraryId, keep } = furniture
  provider.fail(AWAY, 'search Alien')
  keep()
  await until(furniture, () => provider.asked.length > 0)
  house.films.put('/films/Brazil (1985).mkv')
  await house.scan(libraryId)
  await until(furniture, async () => (await overviewOf(house, 'Brazil')) !== null)
  t.ok(provider.asked.filter((ask) => ask.startsWith('search Alien')).length <= 3)
})

t.test('a film that the provider always fails on does not hold up the others', async (t) => {
  const furniture = await furnished(t, ['Alien (1979).mkv', 'Brazil (1985).mkv'])
  const { house, provider, keep } = furniture
  provider.fail(AWAY, 'search Alien')
  keep()
  await until(furniture, async () => (await overviewOf(house, 'Brazil')) !== null, 1000)
  provider.fail()
  await until(furniture, async () => (await overviewOf(house, 'Alien')) !== null, 60_000)
  t.pass('and is asked for again later')
})

t.test('a key that is not taken is told once, and nobody is asked again until the next start', async (t) => {
  const furniture = await furnished(t, ['Alien (1979).mkv', 'Brazil (1985).mkv'])
  const { clock, provider, keep, problems } = furniture
  provider.fail(new OnlineRefused('tmdb.example does not take the key in MARQUEE_TMDB_KEY'))
  const stop = keep()
  await until(furniture, () => problems.length > 0)
  await clock.advance(48 * HOUR_MS)
  await stop()
  keep()
  await clock.advance(HOUR_MS)
  t.strictSame(provider.asked.length, 1)
  t.strictSame(problems, [
    'tmdb.example does not take the key in MARQUEE_TMDB_KEY. Until the next start films are shown as their files describe them',
  ])
})

t.test('what the provider does not have is asked for again after a month, and not before', async (t) => {
  const furniture = await furnished(t, ['Unheard Of (1999).mkv'])
  const { house, clock, provider, keep } = furniture
  keep()
  await until(furniture, () => provider.asked.length === 2)
  t.strictSame(provider.asked, ['search Unheard Of 1999 en', 'search Unheard Of null en'])
  await clock.advance(29 * 24 * HOUR_MS)
  t.equal(provider.asked.length, 2)
  provider.films.set('7', filmOf('Unheard Of', 1999, { overview: 'Heard of.' }))
  await clock.advance(2 * 24 * HOUR_MS)
  await until(furniture, async () => (await overviewOf(house, 'Unheard Of')) === 'Heard of. (en)')
  t.match(await house.movieNamed('Unheard Of'), { match: { source: 'tmdb', confidence: 0.9 } })
})

t.test('another language of the library brings other texts', async (t) => {
  const furniture = await furnished(t, ['Alien (1979).mkv'])
  const { house, libraryId, keep, admin } = furniture
  keep()
  await until(furniture, async () => (await overviewOf(house, 'Alien')) === 'In space. (en)')
  allowed(await house.libraries.change(admin, libraryId, { language: 'de' }, ORIGIN))
  await until(furniture, async () => (await overviewOf(house, 'Alien')) === 'In space. (de)')
  t.equal((await matches(house)).length, 2)
})

t.test('the answer to a pinned match shows the other film, and neither scans nor rounds bring the old one back', async (t) => {
  const furniture = await furnished(t, ['Alien (1979).mkv'])
  const { house, clock, provider, libraryId, keep, admin } = furniture
  keep()
  await until(furniture, async () => (await overviewOf(house, 'Alien')) === 'In space. (en)')
  const { id } = await house.movieNamed('Alien')
  allowed(await house.movieCorrections.edit(admin, id, { tagline: 'Mine.' }, ORIGIN))
  const answered = allowed(await house.movieCorrections.pinMatch(admin, id, pin('68'), ORIGIN)).movie
  const shown = { title: 'Brazil', year: 1985, overview: 'In an office. (en)', tagline: 'Mine.', externalIds: { tmdb: '68' } }
  t.match(answered, { details: shown, match: { source: 'manual', confidence: 1, pinned: true } })
  t.match(allowed(await house.movies.credits(admin, id)), { cast: [] })
  await house.scan(libraryId, { mode: 'full' })
  await clock.advance(31 * 24 * HOUR_MS)
  t.match(await house.documents.movies.get(id), { details: shown, found: { details: { title: 'Alien' } }, match: { pinned: true } })
  t.strictSame(
    (await matches(house)).map(({ type }) => type),
    ['MovieMatchedOnline', 'MovieUnmatchedOnline', 'MovieMatchedOnline'],
  )
  t.equal(provider.asked.filter((ask) => ask === 'film 348 en').length, 1)
})

t.test('a match that is pinned by title and year is searched with those', async (t) => {
  const { house, provider, admin } = await furnished(t, ['Disc 1.mkv'])
  const { id } = await house.movieNamed('Disc 1')
  const asked = { tmdb: null, imdb: null, title: 'brazil', year: 1985 }
  const answered = allowed(await house.movieCorrections.pinMatch(admin, id, asked, ORIGIN)).movie
  t.match(answered, {
    details: { title: 'brazil', year: 1985, overview: 'In an office. (en)', externalIds: { tmdb: '68' } },
    match: { source: 'manual', confidence: 1, pinned: true },
    online: { confidence: 0.9 },
  })
  t.strictSame(provider.asked, ['search brazil 1985 en', 'film 68 en'])
  const { problems } = house
  provider.fail(new Error('A fault of our own'))
  allowed(await house.movieCorrections.pinMatch(admin, id, pin('348'), ORIGIN))
  t.match(problems, [{ message: 'A fault of our own' }], 'the match is pinned all the same, and the fault is told')
})

t.test('where the provider takes too long a pinned match is answered without it, and the old film is gone at once', async (t) => {
  const furniture = await furnished(t, ['Alien (1979).mkv'])
  const { house, provider, keep, admin } = furniture
  keep()
  await until(furniture, async () => (await overviewOf(house, 'Alien')) === 'In space. (en)')
  const { id } = await house.movieNamed('Alien')
  provider.hang(true)
  const pinning = house.movieCorrections.pinMatch(admin, id, pin('68'), ORIGIN)
  await house.clock.advance(5_000)
  const answered = await pinning
  if (isRefusal(answered)) throw new Error(answered.message)
  t.match(answered.movie, { details: { title: 'Alien', overview: null, externalIds: { tmdb: '68' } }, online: null })
  await house.clock.advance(60_000)
  t.strictSame(house.problems, [])
})

t.test('what the provider says of a pinned match after its answer was sent is not lost', async (t) => {
  const { house, provider, admin } = await furnished(t, ['Alien (1979).mkv'])
  const { id } = await house.movieNamed('Alien')
  const answer = provider.hold()
  const pinning = house.movieCorrections.pinMatch(admin, id, pin('68'), ORIGIN)
  await house.clock.advance(6_000)
  t.match(allowed(await pinning).movie, { online: null })
  answer()
  await until({ house, clock: house.clock }, async () => (await overviewOf(house, 'Alien')) === 'In an office. (en)')
})

t.test('an answer in the language that the library had before does not replace one in the new', async (t) => {
  const { house, provider, libraryId, admin } = await furnished(t, ['Alien (1979).mkv'])
  const { id } = await house.movieNamed('Alien')
  const answer = provider.hold()
  const late = house.onlineFinder?.find(id, new AbortController().signal)
  await until({ house, clock: house.clock }, () => provider.asked.length > 0)
  allowed(await house.libraries.change(admin, libraryId, { language: 'de' }, ORIGIN))
  const early = house.onlineFinder?.find(id, new AbortController().signal)
  answer()
  await early
  await late
  t.match(await matches(house), [{ data: { language: 'de' } }])
  t.equal((await matches(house)).length, 1)
})
