import t from 'tap'
import { isRefusal } from '../../../src/domain/refusal.ts'
import type { ReadModels } from '../../../src/app/read-models/read-models.ts'
import { anchorsOf, type Anchor, type AnchorsRequest, type MovieAnchors } from '../../../src/app/movies/movie-anchors.ts'
import type { MovieQuery } from '../../../src/app/movies/movie-query.ts'
import type { Caller } from '../../../src/app/access/caller.ts'
import type { Key, KeyQuery } from '../../../src/ports/read-store.ts'
import { named } from '../../fixtures/names.ts'
import { createRandom } from '../../fixtures/random.ts'
import { allowed, type NodeFixture } from '../../fixtures/node-fixture.ts'
import { choices, expected, furnished, meansOf, SORT_KEYS, walked, type Known } from './listed-movies.ts'

const indexesOf = (anchors: readonly Anchor[]) => anchors.map(({ index }) => index)

/** The first movie of a page at the anchor. */
async function firstAt(node: NodeFixture, caller: Caller, query: MovieQuery, { after }: Anchor): Promise<string | undefined> {
  const { items } = await node.movies.list(caller, { ...query, limit: 2, ...(after ? { after } : {}) })
  return items[0]?.movie.card.id
}

t.test('a page at an anchor begins with the movie of its index, by every sort and filter', async (t) => {
  const { node, caller, known, libraryIds } = await furnished(t)
  const random = createRandom(23)
  for (const sort of Object.keys(SORT_KEYS) as MovieQuery['sort'][]) {
    for (const [some, fits] of choices(random, libraryIds, known)) {
      const query: MovieQuery = { sort, order: random.pick(['asc', 'desc'] as const), ...some }
      const [, ...ids] = expected(known, query, meansOf(query, fits))
      const every = random.pick([1, 7, 30])
      const anchors: MovieAnchors = allowed(await node.movies.anchors(caller, { ...query, every }))
      const begun = await Promise.all([...anchors.items, ...anchors.letters].map((anchor) => firstAt(node, caller, query, anchor)))
      const meant = [...indexesOf(anchors.items), ...indexesOf(anchors.letters)].map((index) => ids[index])
      t.strictSame([anchors.total, begun], [ids.length, meant], JSON.stringify(query))
      t.strictSame(
        indexesOf(anchors.items),
        Array.from(ids.keys()).filter((index) => index % every === 0),
      )
    }
  }
})

t.test('a page at an anchor goes on as the list does, although the movie before has gone', async (t) => {
  const { node, caller } = await furnished(t)
  const query = { sort: 'addedAt', order: 'desc' } as const
  const [, ...ids] = await walked(node, caller, query, 50)
  const { items } = allowed(await node.movies.anchors(caller, { ...query, every: 20 }))
  const before = { ids: ids.filter((_, index) => index !== 39), ...query, limit: 5 }
  t.strictSame(
    (await node.movies.list(caller, { ...before, ...(items[2]?.after ? { after: items[2].after } : {}) })).items.map(
      ({ movie }) => movie.card.id,
    ),
    ids.slice(40, 45),
  )
})

t.test('a random order has anchors if its seed is given', async (t) => {
  const { node, caller } = await furnished(t)
  for (const order of ['asc', 'desc'] as const) {
    const query = { sort: 'random', order, seed: 5 } as const
    const [, ...ids] = await walked(node, caller, query, 50)
    const { items } = allowed(await node.movies.anchors(caller, { ...query, every: 9 }))
    t.strictSame(
      await Promise.all(items.map((anchor) => firstAt(node, caller, query, anchor))),
      ids.filter((_, index) => index % 9 === 0),
    )
  }
  t.match(await node.movies.anchors(caller, { sort: 'random', order: 'desc', every: 9 }), { refusal: 'invalid', path: 'seed' })
})

t.test('libraries that the caller does not see count for nothing', async (t) => {
  const { node, libraryIds } = await furnished(t)
  const stranger = (await node.person({ libraryAccess: 'selected', libraryIds: [] })).caller
  for (const sort of ['title', 'lastPlayedAt', 'random'] as const) {
    const nothing = await node.movies.anchors(stranger, { sort, order: 'asc', seed: 1, every: 1, libraryIds })
    t.strictSame(nothing, { total: 0, items: [], letters: [] })
  }
})

type LabelOf = (known: Known) => string | null

t.test('labels say letter, year, month or whole rating, and null of what is not known', async (t) => {
  const { node, caller, known } = await furnished(t)
  const labels: Readonly<Partial<Record<MovieQuery['sort'], LabelOf>>> = {
    title: ({ movie }) => movie.sortTitle.slice(0, 1).toUpperCase(),
    year: ({ movie }) => String(movie.details.year),
    releaseDate: ({ movie }) => movie.details.releaseDate?.slice(0, 4) ?? null,
    addedAt: ({ movie }) => movie.addedAt.slice(0, 7),
    rating: ({ movie }) => (movie.details.rating === null ? null : String(Math.floor(movie.details.rating))),
    lastPlayedAt: ({ own }) => own?.lastPlayedAt?.slice(0, 7) ?? null,
    duration: () => null,
    playCount: () => null,
    size: () => null,
  }
  for (const [sort, labelOf] of Object.entries(labels) as [MovieQuery['sort'], LabelOf][]) {
    const query = { sort, order: 'desc' } as const
    const [, ...ids] = expected(known, query, () => true)
    const { items, letters } = allowed(await node.movies.anchors(caller, { ...query, every: 1 }))
    const meant = ids.map((id) => known.filter(({ movie }) => movie.id === id).map(labelOf)[0])
    t.strictSame(
      items.map(({ label }) => label),
      meant,
      sort,
    )
    const firsts = meant.filter((label, index) => meant.indexOf(label) === index)
    t.strictSame(
      letters.map(({ index, label }) => [index, label]),
      sort === 'title' ? firsts.map((label) => [meant.indexOf(label), label]) : [],
    )
  }
})

const viewer = { userId: named<'user'>('user'), libraryIds: [] }

/** Anchors of a list with these sort titles, read in parts of this size. */
async function anchorsOfTitles(titles: readonly string[], request: Partial<AnchorsRequest>, part = 10_000) {
  const all = titles.map((value, n): Key => ({ value, id: String(n).padStart(21, '0') }))
  const keys = async ({ after }: KeyQuery) => {
    const start = after ? Number(after.id) + 1 : 0
    return { keys: all.slice(start, start + part), next: (start + part < all.length && all[start + part - 1]) || null }
  }
  const readModels = { movies: { keys } } as unknown as ReadModels
  return anchorsOf(readModels, viewer, { sort: 'title', order: 'asc', every: 100, ...request })
}

t.test('more than 1,000 anchors are refused with the least distance that there may be', async (t) => {
  const titles = Array.from({ length: 2001 }, () => 'a')
  t.match(await anchorsOfTitles(titles, { every: 2 }), { refusal: 'invalid', path: 'every', message: /at least 3 .* 2001 movies/ })
  const anchors = await anchorsOfTitles(titles.slice(1), { every: 2 })
  t.equal(!isRefusal(anchors) && anchors.items.length, 1000)
})

t.test('a list that is read in parts is counted through', async (t) => {
  const titles = ['1', '2', 'a', 'a', 'b', 'c', '~']
  t.strictSame(await anchorsOfTitles(titles, { every: 3 }, 2), await anchorsOfTitles(titles, { every: 3 }))
  t.match(await anchorsOfTitles(titles, { every: 3 }, 2), { total: 7, items: [{ index: 0 }, { index: 3 }, { index: 6 }] })
})

t.test('letters are upper case, # stands for what is none, and there are at most 60', async (t) => {
  const anchors = async (titles: readonly string[]) => {
    const found = allowed(await anchorsOfTitles(titles, {}))
    return found.letters.map(({ index, label }) => `${index}${label}`)
  }
  t.strictSame(await anchors(['', '12', 'alien', 'avatar', 'brazil', '~', 'я', '七人の侍', '\u{1F37F}']), ['0#', '2A', '4B', '6Я', '7七'])
  const many = Array.from({ length: 100 }, (_, n) => String.fromCodePoint(0x4e00 + n))
  t.strictSame((await anchors(many)).length, 60)
})
