import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { createListOrders, type ListOrder } from '../../../src/app/movies/list-orders.ts'
import { pointBefore } from '../../../src/app/movies/list-places.ts'
import { countMovies, listMovies, type ListViewer } from '../../../src/app/movies/movie-list.ts'
import type { MovieQuery } from '../../../src/app/movies/movie-query.ts'
import { orderedIds, orderedPage, orderReason } from '../../../src/app/movies/ordered-page.ts'
import type { MovieForUser } from '../../../src/app/movies/list-sources.ts'
import type { ListPage, PagePoint } from '../../../src/app/read-models/page.ts'
import type { ReadModels } from '../../../src/app/read-models/read-models.ts'
import { ORIGIN } from '../../fixtures/node-fixture.ts'
import { movies } from '../../../projections/views/movies.ts'
import { collectionOf } from '../../../projections/views/view.ts'
import { furnished } from './listed-movies.ts'

async function orderOf(readModels: ReadModels, viewer: ListViewer, query: MovieQuery): Promise<ListOrder> {
  const orders = createListOrders()
  const ask = () => orders.of('list', { tag: () => 'tag', ids: () => orderedIds(readModels, viewer, query) })
  ask()
  ask()
  let order: ListOrder | undefined
  for (let turn = 0; !order && turn < 1000; turn++) {
    await setImmediate()
    order = ask()
  }
  if (!order) throw new Error('There is no order')
  return order
}

/** What people see of a page, and where it goes on. */
const shown = (page: ListPage<MovieForUser> | undefined) =>
  page && { ...page, items: page.items.map(({ movie: { id, card }, own }) => ({ id, card, own })) }

const QUERIES: readonly MovieQuery[] = [
  { sort: 'title', order: 'asc', text: 'winter' },
  { sort: 'rating', order: 'desc', keys: { genre: ['drama'] } },
  { sort: 'releaseDate', order: 'asc', keys: { genre: ['war', 'noir'] }, yearFrom: 1950 },
  { sort: 'year', order: 'desc', watched: true },
  { sort: 'addedAt', order: 'asc', watchlist: true, watched: false },
  { sort: 'title', order: 'desc', inProgress: true },
  { sort: 'title', order: 'asc', text: 'no such film' },
]

t.test('pages by an order are those of a walk, with the same cursors, and its total is the count', async (t) => {
  const { node, caller, libraryIds } = await furnished(t)
  const { readModels } = node
  const viewer = { userId: caller.userId, libraryIds }
  for (const query of QUERIES) {
    const what = JSON.stringify(query)
    t.equal(orderReason(query, true), 'filters', what)
    const order = await orderOf(readModels, viewer, query)
    t.equal(order.total, await countMovies(readModels, viewer, query), what)
    for (const limit of [1, 7, 100]) {
      let after: PagePoint | null | undefined
      for (let pages = 0; after !== null && pages < 200; pages++) {
        const page = { limit, ...(after ? { after } : {}) }
        const walked = await listMovies(readModels, viewer, { ...query, ...page })
        t.strictSame(shown(await orderedPage(readModels, viewer, { order, query, page })), shown(walked), `${what} ${limit}`)
        const [first] = walked.items
        if (first && after && query.sort === 'title') {
          const before = pointBefore({ value: first.movie.sortTitle ?? null, id: first.movie.id })
          const anchored = await orderedPage(readModels, viewer, { order, query, page: { limit, after: before } })
          t.strictSame(shown(anchored), shown(walked), 'from an anchor')
        }
        after = walked.next
      }
    }
  }
})

t.test('a page that does not fit the order any more is looked for', async (t) => {
  const { node, caller, libraryIds } = await furnished(t)
  const { readModels } = node
  const viewer = { userId: caller.userId, libraryIds }
  const query: MovieQuery = { sort: 'title', order: 'asc', watched: true }
  const order = await orderOf(readModels, viewer, query)
  const [id = ''] = order.ids(0, 1)
  const page = { limit: 100 }
  t.ok(await orderedPage(readModels, viewer, { order, query, page }))
  const [some] = libraryIds
  t.equal(await orderedPage(readModels, { ...viewer, libraryIds: [some!] }, { order, query, page }), undefined, 'a library is not seen')
  const after = { value: 'an older title', id }
  t.equal(await orderedPage(readModels, viewer, { order, query, page: { limit: 5, after } }), undefined, 'the cursor has another title')
  const unknown = { value: 'a', id: 'x'.repeat(id.length) }
  t.equal(await orderedPage(readModels, viewer, { order, query, page: { limit: 5, after: unknown } }), undefined, 'the movie has gone')
  await node.movieMarks.markUnwatched(caller, id, ORIGIN)
  t.equal(await orderedPage(readModels, viewer, { order, query, page }), undefined, 'a mark has gone')
})

t.test('lists without a filter, of few ids, in another order, or of what was not watched have no order', (t) => {
  const title = { sort: 'title', order: 'asc' } as const
  for (const query of [
    title,
    { ...title, availability: 'missing' },
    { ...title, libraryIds: [] },
    { ...title, ids: [], text: 'a' },
    { ...title, watched: false },
    { sort: 'random', order: 'asc', seed: 1, text: 'a' },
    { sort: 'lastPlayedAt', order: 'asc', watched: true },
  ] satisfies readonly MovieQuery[]) {
    t.equal(orderReason(query, false), undefined, JSON.stringify(query))
  }
  t.equal(orderReason(title, true), 'libraries')
  t.equal(orderReason({ ...title, watched: false }, true), 'libraries')
  t.equal(orderReason({ sort: 'lastPlayedAt', order: 'asc' }, true), undefined)
  t.end()
})

t.test('a list of libraries that hold few of all movies is read by its order, one of larger libraries is not', async (t) => {
  const { node, caller, libraryIds } = await furnished(t)
  const total = await node.readModels.movies.count([])
  const [large, small] = await Promise.all(
    libraryIds.map(async (id) => ({ id, count: await node.readModels.movies.count([{ field: 'libraryId', op: 'eq', value: id }]) })),
  ).then((counts) => counts.toSorted((a, b) => b.count - a.count))
  t.ok(large && small && large.count > total / 4 && small.count <= total / 4, 'the movies are spread so')
  for (const [library, isOrdered] of [
    [small, true],
    [large, false],
  ] as const) {
    const page = () => node.movies.list(caller, { sort: 'title', order: 'asc', libraryIds: [library?.id ?? ''], limit: 100 })
    const walked = await page()
    await page()
    for (let turn = 0; turn < 50; turn++) await setImmediate()
    const asked: boolean[] = []
    const { store } = node.cluster
    const find = store.find.bind(store)
    store.find = (collection, query) => {
      if (collection === collectionOf(movies)) asked.push(query.among !== undefined)
      return find(collection, query)
    }
    t.strictSame(shown(await page()), shown(walked))
    store.find = find
    t.strictSame([...new Set(asked)], [isOrdered])
  }
})

t.test('people who see the same libraries share an order, each with their own marks; others do not', async (t) => {
  const { node, caller, known, libraryIds } = await furnished(t)
  const { caller: same } = await node.person({ libraryAccess: 'selected', libraryIds })
  const { caller: other } = await node.person({ libraryAccess: 'selected', libraryIds: libraryIds.slice(1) })
  const query: MovieQuery = { sort: 'title', order: 'asc', keys: { genre: ['drama'] } }
  const listed = (who: typeof caller) => node.movies.list(who, { ...query, limit: 100, counted: true })
  const seen = { passes: 0 }
  const { store } = node.cluster
  const keys = store.keys.bind(store)
  store.keys = (collection, asked) => {
    if (asked.sort?.field === 'sortTitle') seen.passes++
    return keys(collection, asked)
  }
  const first = await listed(caller)
  t.equal(seen.passes, 0)
  t.strictSame(await listed(caller), first)
  while (seen.passes === 0) await setImmediate()
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  t.equal(seen.passes, 1, 'the order was made after the second request')
  const find = store.find.bind(store)
  store.find = (collection, asked) => {
    if (collection === collectionOf(movies)) t.ok(asked.among, 'pages are read by it')
    return find(collection, asked)
  }
  t.strictSame(shown(await listed(caller)), shown(first))
  const shared = await listed(same)
  t.strictSame(
    shared.items.map(({ movie }) => movie.id),
    first.items.map(({ movie }) => movie.id),
  )
  t.equal(shared.total, first.total)
  t.ok(first.items.some(({ own }) => own !== null))
  t.ok(shared.items.every(({ own }) => own === null))
  store.find = find
  const theirs = await listed(other)
  t.ok(theirs.items.length > 0 && theirs.items.length < first.items.length)
  const hidden = new Set(known.flatMap(({ movie }) => (movie.libraryId === libraryIds[0] ? [movie.id] : [])))
  t.notOk(theirs.items.some(({ movie }) => hidden.has(movie.id)))
})

t.test('a page that was read while a title has changed is looked for', async (t) => {
  const { node, caller } = await furnished(t)
  const { caller: admin } = await node.person({ role: 'admin' })
  const page = () => node.movies.list(caller, { sort: 'title', order: 'asc', text: 'winter', limit: 100 })
  const before = await page()
  await page()
  for (let turn = 0; turn < 50; turn++) await setImmediate()
  const [first] = before.items
  if (!first) throw new Error('There is no such film')
  const { store } = node.cluster
  const find = store.find.bind(store)
  let isChanged = false
  store.find = async (collection, query) => {
    if (!isChanged && collection === collectionOf(movies)) {
      isChanged = true
      t.notOk(query.sort, 'it was about to be read by its order')
      await node.movieCorrections.edit(admin, first.movie.id, { sortTitle: 'zz winter' }, ORIGIN)
    }
    return find(collection, query)
  }
  const titles = (await page()).items.map(({ movie }) => movie.card.sortTitle)
  store.find = find
  t.ok(isChanged)
  t.equal(titles.at(-1), 'zz winter')
  t.strictSame(shown(await page())?.items.length, before.items.length)
})
