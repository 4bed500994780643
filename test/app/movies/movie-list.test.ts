import t from 'tap'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { listMovies } from '../../../src/app/movies/movie-list.ts'
import { SORTS, type MovieQuery } from '../../../src/app/movies/movie-query.ts'
import { createReadModels } from '../../../src/app/read-models/read-models.ts'
import type { Query, ReadStore } from '../../../src/ports/read-store.ts'
import { movies } from '../../../projections/views/movies.ts'
import { userMovies } from '../../../projections/views/user-movies.ts'
import type { AnyView } from '../../../projections/views/view.ts'
import { specOf } from '../../../projections/projector/projector.ts'
import { named } from '../../fixtures/names.ts'
import { foldText } from '../../../src/vocabulary/text.ts'
import { createRandom } from '../../fixtures/random.ts'
import { ORIGIN } from '../../fixtures/node-fixture.ts'
import { choices, expected, MOVIES, furnished, meansOf, SORT_KEYS, walked } from './listed-movies.ts'

t.test('pages of every filter and sort, put together, are what a plain filter and sort give, and total counts them', async (t) => {
  const { node, caller, known, libraryIds } = await furnished(t)
  const random = createRandom(21)
  for (const sort of Object.keys(SORT_KEYS) as MovieQuery['sort'][]) {
    for (const [some, fits] of choices(random, libraryIds, known)) {
      const order = random.pick(['asc', 'desc'] as const)
      const query: MovieQuery = { sort, order, ...some }
      const meant = expected(known, query, meansOf(query, fits))
      t.strictSame(await walked(node, caller, query, random.pick([1, 7, 50])), meant, JSON.stringify(query))
    }
  }
})

t.test('a random order holds every movie once, is the same for the same seed, and another for another', async (t) => {
  const { node, caller, known } = await furnished(t)
  const order = (query: Partial<MovieQuery>, limit: number) => walked(node, caller, { sort: 'random', order: 'desc', ...query }, limit)
  const first = await order({ seed: 5 }, 100)
  t.strictSame(first.toSorted(), expected(known, { sort: 'random', order: 'asc' }, () => true).toSorted())
  for (const limit of [1, 7, 20]) t.strictSame(await order({ seed: 5 }, limit), first)
  t.strictSame(await order({ seed: 5, order: 'asc' }, 20), [first[0], ...first.slice(1).toReversed()])
  t.notSame(await order({ seed: 6 }, 100), first)
  t.equal(new Set(await order({}, 9)).size, MOVIES + 1, 'without a seed a walk keeps the one it was begun with')
  const watched = await order({ seed: 5, watched: true }, 4)
  t.strictSame(
    watched.slice(1),
    first.filter((id) => known.some(({ movie, own }) => movie.id === id && own?.watched)),
  )
})

t.test('library grants leak through no list: #1946, #8718', async (t) => {
  const { node, caller, libraryIds } = await furnished(t)
  const stranger = (await node.person({ libraryAccess: 'selected', libraryIds: [] })).caller
  const half = (await node.person({ libraryAccess: 'selected', libraryIds: libraryIds.slice(1) })).caller
  const page = { sort: 'title', order: 'asc', limit: 100 } as const
  for (const more of [{}, { text: 'winter' }, { libraryIds }, { sort: 'lastPlayedAt' as const }, { sort: 'random' as const }]) {
    t.match(await node.movies.list(stranger, { ...page, ...more, counted: true }), { items: [], next: null, total: 0 })
    const { items } = await node.movies.list(half, { ...page, ...more })
    t.ok(items.every(({ movie }) => movie.card.libraryId === libraryIds[1]))
  }
  t.match(await node.catalogue.facets(stranger), { genres: [], years: [] })
  t.match(await node.catalogue.collections(stranger, { limit: 9 }), { items: [] })
  const all = await node.catalogue.collections(caller, { limit: 9 })
  const some = await node.catalogue.collections(half, { limit: 9 })
  t.ok(all.items.length > 0)
  t.ok(some.items.every(({ id }) => all.items.some((one) => one.id === id)))
  const id = all.items[0]?.id ?? ''
  t.match(await node.catalogue.collection(stranger, id), { refusal: 'not-found' })
  t.match(await node.catalogue.person(stranger, id), { refusal: 'not-found' })
})

t.test('totals agree with pages, also of facets: #9864, #15186', async (t) => {
  const { node, caller, known, libraryIds } = await furnished(t)
  const admin = (await node.person({ role: 'admin' })).caller
  for (const { movie } of known.filter((one) => one.movie.details.genres.includes('Drama')).slice(0, 2))
    await node.movieCorrections.edit(admin, movie.id, { genres: ['DRAMA', 'drama'] }, ORIGIN)
  await node.seen()
  const facets = await node.catalogue.facets(caller)
  for (const { value, count } of facets.genres) {
    const page = await node.movies.list(caller, {
      sort: 'title',
      order: 'asc',
      limit: 1,
      keys: { genre: [foldText(value)] },
      counted: true,
    })
    t.equal(page.total, count, value)
  }
  const dramas = facets.genres.filter(({ value }) => foldText(value) === 'drama')
  t.match(dramas, [{ value: 'Drama' }], 'one genre in two spellings')
  const stats = await Promise.all(libraryIds.map((id) => node.libraryStatistics.of(caller, id)))
  const genres = stats.flatMap((one) => ('genres' in one ? one.genres : []))
  t.equal(genres.filter(({ value }) => value === 'Drama').length, libraryIds.length)
  t.notOk(genres.some(({ value }) => value === 'DRAMA'))
  for (const { value, count } of facets.years) {
    const page = await node.movies.list(caller, { sort: 'title', order: 'asc', limit: 1, years: [Number(value)], counted: true })
    t.equal(page.total, count, value)
  }
  for (const { id, movieCount } of (await node.catalogue.collections(caller, { limit: 100 })).items) {
    const found = await node.catalogue.collection(caller, id)
    t.equal('movies' in found && found.movies.length, movieCount)
  }
})

t.test('a card of a collection shows the first poster of its films, and counts those that the caller has watched', async (t) => {
  const { node, caller } = await furnished(t)
  const other = (await node.person({ libraryAccess: 'selected', libraryIds: [] })).caller
  const ids = (await node.catalogue.collections(caller, { limit: 100 })).items.map(({ id }) => id)
  const cards = await node.catalogue.collectionCards(caller, ids)
  for (const [index, id] of ids.entries()) {
    const found = await node.catalogue.collection(caller, id)
    const films = 'movies' in found ? found.movies : []
    const { poster = null, posterTint = null } = films.find(({ movie }) => movie.card.poster !== null)?.movie.card ?? {}
    t.strictSame(cards[index], { poster, posterTint, watchedCount: films.filter(({ own }) => own?.watched).length }, id)
  }
  t.ok(cards.some(({ watchedCount }) => watchedCount > 0))
  t.ok((await node.catalogue.collectionCards(other, ids)).every(({ poster, watchedCount }) => poster === null && watchedCount === 0))
})

t.test('movies that are asked for by id are looked up by id, whatever the order and the other filters', async (t) => {
  const store = createMemoryReadStore()
  await store.open([movies, userMovies].map((view) => specOf(view as unknown as AnyView)))
  const asked: Query[] = []
  const recording: ReadStore = { ...store, find: (name, query) => (asked.push(query), store.find(name, query)) }
  const viewer = { userId: named<'user'>('user'), libraryIds: [named<'library'>('library')] }
  for (const sort of SORTS) {
    const query = { sort, order: 'asc', ids: ['a', 'b'], keys: { genre: ['drama'] }, watched: false, inProgress: true, limit: 20 } as const
    await listMovies(createReadModels(recording), viewer, query)
  }
  t.ok(asked.length >= SORTS.length)
  t.strictSame(
    asked.filter(({ among }) => !among),
    [],
  )
})
