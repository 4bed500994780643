import { foundOf } from '../../../projections/views/movie-facts.ts'
import t, { type Test } from 'tap'
import { createTestClock, type TestClock } from '../../../src/adapters/memory/clock.ts'
import { createOnlineJob } from '../../../src/app/online/online-job.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import type { DomainEvent } from '../../../src/events/catalogue.ts'
import { OnlineAway, OnlineRefused } from '../../../src/ports/online-metadata.ts'
import { createScriptedProvider, movieFactsOf } from '../scripted-provider.ts'
import { allowed, openNodeFixture, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'

const ALIEN = movieFactsOf('Alien', 1979, {
  overview: 'In space.',
  cast: [{ name: 'Sigourney Weaver', character: 'Ripley', picture: '/ripley.jpg' }],
})
const BRAZIL = movieFactsOf('Brazil', 1985, { overview: 'In an office.' })
const AWAY = new OnlineAway('It does not answer')
const HOUR_MS = 3_600_000
const pin = (tmdb: string) => ({ tmdb, imdb: null, title: null, year: null })

async function furnished(t: Test, files: readonly string[]) {
  const provider = createScriptedProvider({ 348: ALIEN, 68: BRAZIL })
  const node = await openNodeFixture(t, { online: provider })
  for (const file of files) node.mediaFiles.put(`/films/${file}`)
  const libraryId = await node.newLibrary('/films')
  await node.scan(libraryId)
  const { readModels, readYourWrites, onlineFinder: finder } = node
  if (!finder) throw new Error('There is no finder')
  const problems: string[] = []
  const onError = (cause: unknown) => void problems.push(cause instanceof Error ? cause.message : String(cause))
  // A separate clock: an hour of the whole node takes long.
  const clock = createTestClock()
  const task = createOnlineJob({ clock, readModels, finder, readYourWrites, log: node.cluster.log, onError })
  const running: (() => Promise<void>)[] = []
  t.teardown(() => Promise.all(running.map((stop) => stop())))
  /** Returns a function that stops it. */
  function keep(): () => Promise<void> {
    const keeping = new AbortController()
    const kept = task(keeping.signal).catch((cause: unknown) => void (keeping.signal.aborted || onError(cause)))
    const stop = async (): Promise<void> => {
      keeping.abort()
      await kept
    }
    running.push(stop)
    return stop
  }
  const admin = (await node.person({ role: 'admin' })).caller
  return { node, clock, provider, libraryId, problems, keep, admin }
}

/** Advances the clock in small steps until the condition holds. */
async function until(
  { node, clock }: { readonly node: NodeFixture; readonly clock: TestClock },
  holds: () => Promise<boolean> | boolean,
  stepMs = 10,
): Promise<void> {
  for (let turn = 0; turn < 500; turn++) {
    if (await holds()) return
    await clock.advance(stepMs)
    await node.clock.advance(10)
  }
  throw new Error('It does not come to that')
}

const overviewOf = async (node: NodeFixture, file: string): Promise<string | null> => {
  for await (const movie of node.readModels.movies.walk({})) if (foundOf(movie).details.title === file) return movie.details.overview
  throw new Error(`There is no ${file}`)
}
const matches = async (node: NodeFixture): Promise<readonly DomainEvent[]> =>
  (await node.events()).filter(({ type }) => type === 'MovieMatchedOnline' || type === 'MovieUnmatchedOnline')

t.test('what was there at the start and what a scan brings is found online, once, and rescans change nothing of it', async (t) => {
  const furniture = await furnished(t, ['Alien (1979).mkv', 'Nowhere Known (1999).mkv'])
  const { node, clock, provider, libraryId, keep } = furniture
  const stop = keep()
  await until(furniture, async () => (await overviewOf(node, 'Alien')) === 'In space. (en)')
  node.mediaFiles.put('/films/Brazil (1985).mkv')
  await node.scan(libraryId)
  await until(furniture, async () => (await overviewOf(node, 'Brazil')) === 'In an office. (en)')
  const [first] = await matches(node)
  t.match(first, { metadata: { actor: 'system', command: 'matchOnline' }, data: { provider: 'tmdb', confidence: 0.9, language: 'en' } })
  t.match((await node.movieNamed('Nowhere Known')).match, { source: 'name', pinned: false })

  await node.scan(libraryId, { mode: 'full' })
  await clock.advance(1000)
  await stop()
  keep()
  await clock.advance(1000)
  t.equal((await matches(node)).length, 2, 'nothing is told again')
  t.equal(provider.asked.filter((ask) => ask.startsWith('movie')).length, 2)
  t.match((await node.movieNamed('Alien')).match, { source: 'tmdb', confidence: 0.9 })
})

t.test('a provider that is away during a whole scan costs no film, and what it says comes when it is back', async (t) => {
  const furniture = await furnished(t, ['Alien (1979).mkv', 'Brazil (1985).mkv'])
  const { node, clock, provider, libraryId, keep, problems } = furniture
  provider.fail(AWAY)
  keep()
  await clock.advance(HOUR_MS)
  node.mediaFiles.put('/films/Third (2001).mkv')
  await node.scan(libraryId)
  await node.seen()
  for (const title of ['Alien', 'Brazil', 'Third']) t.match(await node.movieNamed(title), { match: { source: 'name' }, available: true })
  const asked = provider.asked.length
  await clock.advance(HOUR_MS)
  t.ok(provider.asked.length - asked < 60, `it is left alone for the most part: ${provider.asked.length - asked} asks an hour`)
  provider.fail()
  await until(furniture, async () => (await matches(node)).length === 2, 60_000)
  await node.seen()
  t.equal(await overviewOf(node, 'Alien'), 'In space. (en)')
  t.equal(await overviewOf(node, 'Brazil'), 'In an office. (en)')
  t.strictSame(problems, ['It does not answer. Films that are not found online for that are looked up later'], 'told once')
})

t.test('a film that comes while a long list is looked through is not kept waiting for its end', async (t) => {
  const furniture = await furnished(t, ['Alien (1979).mkv'])
  const { node, provider, libraryId, keep } = furniture
  provider.fail(AWAY, 'search Alien')
  keep()
  await until(furniture, () => provider.asked.length > 0)
  node.mediaFiles.put('/films/Brazil (1985).mkv')
  await node.scan(libraryId)
  await until(furniture, async () => (await overviewOf(node, 'Brazil')) !== null)
  t.ok(provider.asked.filter((ask) => ask.startsWith('search Alien')).length <= 3)
})

t.test('a film that the provider always fails on does not hold up the others', async (t) => {
  const furniture = await furnished(t, ['Alien (1979).mkv', 'Brazil (1985).mkv'])
  const { node, provider, keep } = furniture
  provider.fail(AWAY, 'search Alien')
  keep()
  await until(furniture, async () => (await overviewOf(node, 'Brazil')) !== null, 1000)
  provider.fail()
  await until(furniture, async () => (await overviewOf(node, 'Alien')) !== null, 60_000)
  t.pass('and is asked for again later')
})

t.test('a rejected key is reported once, and the provider is not asked again until the next start', async (t) => {
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
  const { node, clock, provider, keep } = furniture
  keep()
  await until(furniture, () => provider.asked.length === 2)
  t.strictSame(provider.asked, ['search Unheard Of 1999 en', 'search Unheard Of null en'])
  await clock.advance(29 * 24 * HOUR_MS)
  t.equal(provider.asked.length, 2)
  provider.movies.set('7', movieFactsOf('Unheard Of', 1999, { overview: 'Heard of.' }))
  await clock.advance(2 * 24 * HOUR_MS)
  await until(furniture, async () => (await overviewOf(node, 'Unheard Of')) === 'Heard of. (en)')
  t.match(await node.movieNamed('Unheard Of'), { match: { source: 'tmdb', confidence: 0.9 } })
})

t.test('another language of the library brings other texts', async (t) => {
  const furniture = await furnished(t, ['Alien (1979).mkv'])
  const { node, libraryId, keep, admin } = furniture
  keep()
  await until(furniture, async () => (await overviewOf(node, 'Alien')) === 'In space. (en)')
  allowed(await node.libraries.change(admin, libraryId, { language: 'de' }, ORIGIN))
  await until(furniture, async () => (await overviewOf(node, 'Alien')) === 'In space. (de)')
  t.equal((await matches(node)).length, 2)
})

t.test('the answer to a pinned match shows the other film, and neither scans nor rounds bring the old one back', async (t) => {
  const furniture = await furnished(t, ['Alien (1979).mkv'])
  const { node, clock, provider, libraryId, keep, admin } = furniture
  keep()
  await until(furniture, async () => (await overviewOf(node, 'Alien')) === 'In space. (en)')
  const { id } = await node.movieNamed('Alien')
  allowed(await node.movieCorrections.edit(admin, id, { tagline: 'Mine.' }, ORIGIN))
  const answered = allowed(await node.movieCorrections.pinMatch(admin, id, pin('68'), ORIGIN)).movie
  const shown = { title: 'Brazil', year: 1985, overview: 'In an office. (en)', tagline: 'Mine.', externalIds: { tmdb: '68' } }
  t.match(answered, { details: shown, match: { source: 'manual', confidence: 1, pinned: true } })
  t.match(allowed(await node.movies.credits(admin, id)), { cast: [] })
  await node.scan(libraryId, { mode: 'full' })
  await clock.advance(31 * 24 * HOUR_MS)
  t.match(await node.readModels.movies.get(id), { details: shown, found: { details: { title: 'Alien' } }, match: { pinned: true } })
  t.strictSame(
    (await matches(node)).map(({ type }) => type),
    ['MovieMatchedOnline', 'MovieUnmatchedOnline', 'MovieMatchedOnline'],
  )
  t.equal(provider.asked.filter((ask) => ask === 'movie 348 en').length, 1)
})

t.test('a match that is pinned by title and year is searched with those', async (t) => {
  const { node, provider, admin } = await furnished(t, ['Disc 1.mkv'])
  const { id } = await node.movieNamed('Disc 1')
  const asked = { tmdb: null, imdb: null, title: 'brazil', year: 1985 }
  const answered = allowed(await node.movieCorrections.pinMatch(admin, id, asked, ORIGIN)).movie
  t.match(answered, {
    details: { title: 'brazil', year: 1985, overview: 'In an office. (en)', externalIds: { tmdb: '68' } },
    match: { source: 'manual', confidence: 1, pinned: true },
  })
  t.match(await node.readModels.movies.get(id), { online: { confidence: 0.9 } })
  t.strictSame(provider.asked, ['search brazil 1985 en', 'movie 68 en'])
  const { problems } = node
  provider.fail(new Error('A fault of our own'))
  allowed(await node.movieCorrections.pinMatch(admin, id, pin('348'), ORIGIN))
  t.match(problems, [{ message: 'A fault of our own' }], 'the match is pinned all the same, and the fault is told')
})

t.test('where the provider takes too long a pinned match is answered without it, and the old film is gone at once', async (t) => {
  const furniture = await furnished(t, ['Alien (1979).mkv'])
  const { node, provider, keep, admin } = furniture
  keep()
  await until(furniture, async () => (await overviewOf(node, 'Alien')) === 'In space. (en)')
  const { id } = await node.movieNamed('Alien')
  provider.hang(true)
  const pinning = node.movieCorrections.pinMatch(admin, id, pin('68'), ORIGIN)
  await node.clock.advance(5_000)
  const answered = await pinning
  if (isRefusal(answered)) throw new Error(answered.message)
  t.match(answered.movie, { details: { title: 'Alien', overview: null, externalIds: { tmdb: '68' } }, online: null })
  await node.clock.advance(60_000)
  t.strictSame(node.problems, [])
})

t.test('what the provider says of a pinned match after its answer was sent is not lost', async (t) => {
  const { node, provider, admin } = await furnished(t, ['Alien (1979).mkv'])
  const { id } = await node.movieNamed('Alien')
  const answer = provider.hold()
  const pinning = node.movieCorrections.pinMatch(admin, id, pin('68'), ORIGIN)
  await node.clock.advance(6_000)
  t.match(allowed(await pinning).movie, { online: null })
  answer()
  await until({ node, clock: node.clock }, async () => (await overviewOf(node, 'Alien')) === 'In an office. (en)')
})

t.test('an answer in the language that the library had before does not replace one in the new', async (t) => {
  const { node, provider, libraryId, admin } = await furnished(t, ['Alien (1979).mkv'])
  const { id } = await node.movieNamed('Alien')
  const answer = provider.hold()
  const late = node.onlineFinder?.find(id, new AbortController().signal)
  await until({ node, clock: node.clock }, () => provider.asked.length > 0)
  allowed(await node.libraries.change(admin, libraryId, { language: 'de' }, ORIGIN))
  const early = node.onlineFinder?.find(id, new AbortController().signal)
  answer()
  await early
  await late
  t.match(await matches(node), [{ data: { language: 'de' } }])
  t.equal((await matches(node)).length, 1)
})
