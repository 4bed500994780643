import t from 'tap'
import { movie } from '../../../src/domain/movies/movie.ts'
import { movieStream } from '../../../src/events/streams.ts'
import type { ReadStore } from '../../../src/ports/read-store.ts'
import { factsOf } from '../../fixtures/movie-facts.ts'
import { allowed, createCluster, ORIGIN, type NodeFixture, type Person } from '../../fixtures/node-fixture.ts'
import { household } from './household.ts'
import { BRAZIL, HEAT, importsOf, minuteOf, take, undo, unknownFilms } from './import-household.ts'

/** A household that records the keys by which movies are searched. */
async function searched(t: Parameters<typeof household>[0]) {
  const cluster = createCluster()
  const keys: unknown[] = []
  const find: ReadStore['find'] = (collection, query) => {
    for (const filter of query.where ?? []) if (filter.field === 'factKeys' && filter.op === 'has') keys.push(...filter.values)
    return cluster.store.find(collection, query)
  }
  const home = await household(t, { cluster: { ...cluster, store: { ...cluster.store, find } } })
  return { ...home, keys }
}

async function waitingOf(node: NodeFixture, person: Person): Promise<number> {
  return (await importsOf(node, person)).reduce((sum, { waiting }) => sum + waiting, 0)
}

async function reacted(node: NodeFixture): Promise<void> {
  await node.clock.advance(1_000)
  await node.seen()
}

t.test('an item that is kept is matched again alone, however many others wait', async (t) => {
  const { node, ann, keys } = await searched(t)
  allowed(await take(node, ann, unknownFilms(1_000)))
  await reacted(node)
  keys.length = 0
  allowed(await take(node, ann, [HEAT]))
  await reacted(node)
  t.strictSame(keys, ['title:heat', 'title:heat'], 'once by the request, once after it was kept')
})

t.test('what a user waits for is matched again when they are granted other libraries', async (t) => {
  const { node, admin, films, kids, child, keys } = await searched(t)
  allowed(await take(node, child, [BRAZIL, ...unknownFilms(1_200)]))
  await reacted(node)
  keys.length = 0
  const grant = { libraryAccess: 'selected', libraryIds: [films, kids] } as const
  allowed(
    await node.users.change(admin.caller, child.caller.userId, grant, { requestId: 'request-2', address: '192.0.2.1', client: 'test' }),
  )
  await reacted(node)
  t.equal(new Set(keys).size, 1_201)
  t.match(await importsOf(node, child), [{ imported: 1, waiting: 1_200 }])
})

const PIN = { tmdb: null, imdb: null, title: null, year: null }

t.test('an item is imported when its film is pinned, edited or matched online to what the item names', async (t) => {
  const { node, admin, brazil, ann } = await household(t)
  const item = { ...HEAT, title: null, year: null }
  const wanted = [
    { ...item, tmdb: '68' },
    { ...HEAT, title: 'The Ministry', year: 1985 },
    { ...item, imdb: 'tt0088846' },
  ]
  allowed(await take(node, ann, wanted))
  await reacted(node)
  const imported = async () => {
    await reacted(node)
    return (await importsOf(node, ann))[0]?.imported
  }
  t.equal(await imported(), 0)
  allowed(await node.movieCorrections.pinMatch(admin.caller, brazil.id, { ...PIN, tmdb: '68' }, ORIGIN))
  t.equal(await imported(), 1, 'pinned')
  allowed(await node.movieCorrections.edit(admin.caller, brazil.id, { title: 'The Ministry' }, ORIGIN))
  t.equal(await imported(), 2, 'edited')
  const facts = factsOf('Brazil', 1985, { externalIds: { tmdb: '68', imdb: 'tt0088846' } })
  const asked = { tmdb: '68', imdb: null, title: null, originalTitle: null, year: null }
  const data = { movieId: brazil.id, libraryId: brazil.libraryId, provider: 'tmdb', asked, confidence: 1, language: 'en', facts } as const
  const event = { type: 'MovieMatchedOnline', data: { ...data, artwork: { poster: null, backdrop: null, logo: null } } } as const
  const author = { actor: 'system', command: 'test' }
  allowed(await node.commandHandler.execute({ stream: movieStream(brazil.id), decider: movie }, () => [event], author))
  t.equal(await imported(), 3, 'matched online')
})

t.test('what users wait for is imported when a removed library with its film is restored', async (t) => {
  const { node, admin, films, ann, child } = await household(t)
  allowed(await node.libraries.remove(admin.caller, films, ORIGIN))
  for (const person of [ann, child]) t.match(allowed(await take(node, person, [BRAZIL])), { imported: 0, unmatched: { length: 1 } })
  await reacted(node)
  allowed(await node.libraries.restore(admin.caller, films, ORIGIN))
  await reacted(node)
  t.match(await importsOf(node, ann), [{ imported: 1, waiting: 0 }])
  t.match(await importsOf(node, child), [{ imported: 0, waiting: 1 }], 'who does not see the library waits on')
})

t.test('what a user waits for is imported when they are enabled again, if its film came while they were disabled', async (t) => {
  const { node, admin, films, ann } = await household(t)
  allowed(await take(node, ann, [HEAT]))
  allowed(await node.users.change(admin.caller, ann.caller.userId, { enabled: false }, ORIGIN))
  await reacted(node)
  node.mediaFiles.put('/films/Heat (1995).mkv')
  await node.scan(films)
  await reacted(node)
  t.match(await importsOf(node, ann), [{ imported: 0, waiting: 1 }], 'nothing is imported for a disabled user')
  allowed(await node.users.change(admin.caller, ann.caller.userId, { enabled: true }, ORIGIN))
  await reacted(node)
  t.match(await importsOf(node, ann), [{ imported: 1, waiting: 0 }])
})

t.test('viewings of one film are searched for once a page', async (t) => {
  const { node, ann, keys } = await searched(t)
  const viewings = Array.from({ length: 300 }, (_, n) => ({ ...BRAZIL, watchedAt: minuteOf(n) }))
  t.match(allowed(await take(node, ann, viewings)), { imported: 300 })
  t.strictSame(keys, ['title:brazil'])
})

t.test('a film is found among more of its name than a query returns, and so are the others of the page', async (t) => {
  const { node, films, kids, ann, keys } = await searched(t)
  for (let year = 1900; year < 2005; year++) {
    for (const folder of ['films', 'kids']) node.mediaFiles.put(`/${folder}/Home (${year}).mkv`)
  }
  for (const library of [films, kids]) await node.scan(library)
  const home = { ...HEAT, title: 'Home', year: 1950 }
  t.match(allowed(await take(node, ann, [HEAT, home, BRAZIL])), { imported: 2, unmatched: [{ index: 0, reason: 'not_found' }] })
  t.equal(keys.filter((key) => key === 'title:brazil').length, 2, 'Brazil is searched for apart from Home')
})

t.test('other work has its turn while a page is imported', async (t) => {
  const { node, ann } = await household(t)
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  allowed(await take(node, ann, unknownFilms(5_000), { dryRun: true }))
  isDone = true
  t.ok(turns >= 100, `${turns} turns`)
})

t.test('pages that a user sends at once are taken one after another, a few of them', async (t) => {
  const { node, ann } = await household(t)
  const done = await Promise.all(Array.from({ length: 7 }, () => take(node, ann, [BRAZIL, HEAT, ...unknownFilms(100)])))
  t.match(done.slice(0, 2), [
    { imported: 1, known: 0, unmatched: { length: 101 } },
    { imported: 0, known: 102, unmatched: [] },
  ])
  t.strictSame(
    done.map((result) => ('refusal' in result ? result.refusal : 'taken')),
    [...Array(5).fill('taken'), 'unavailable', 'unavailable'],
  )
  t.equal(await waitingOf(node, ann), 101)
})

t.test('no more than 50,000 items of a user wait, and an undone import makes room', async (t) => {
  const { node, ann, child } = await household(t)
  const pages = Array.from({ length: 10 }, (_, n) => unknownFilms(5_000, `Film of page ${n},`))
  const importIds: (string | null)[] = []
  for (const [n, page] of pages.entries()) {
    const items = n === 9 ? page.slice(1) : page
    importIds.push(allowed(await take(node, ann, items)).importId)
  }
  t.match(allowed(await take(node, ann, [HEAT, BRAZIL])), { imported: 1, unmatched: { length: 1 } }, 'the last one')
  const before = (await node.events()).length
  const full = { refusal: 'conflict', message: /More than 50000 .* undo imports/ }
  t.match(await take(node, ann, [...unknownFilms(1), BRAZIL]), full)
  t.match(await take(node, ann, unknownFilms(1), { dryRun: true }), full)
  t.equal((await node.events()).length, before, 'nothing is stored')
  t.match(allowed(await take(node, ann, [{ ...BRAZIL, watchedAt: minuteOf(1) }, HEAT])), { imported: 1, known: 1 }, 'nothing more waits')
  t.match(allowed(await take(node, child, [HEAT])), { unmatched: { length: 1 } }, 'others have their own bound')
  t.equal(await undo(node, ann, importIds[0] ?? null), undefined)
  t.match(allowed(await take(node, ann, unknownFilms(1))), { unmatched: { length: 1 } })
})
