import t from 'tap'
import type { Caller } from '../../../src/app/access/caller.ts'
import type { MovieQuery } from '../../../src/app/movies/movie-query.ts'
import { foldText } from '../../../src/vocabulary/text.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import type { UserMovieDocument } from '../../../projections/views/user-movies.ts'
import { appendFilms, appendMarks } from '../../bench/films.ts'
import { createRandom, type Random } from '../../fixtures/random.ts'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { openNodeFixture, type NodeFixture } from '../../fixtures/node-fixture.ts'

const FILMS = 140
const MARKED = 60

interface Known {
  readonly movie: MovieDocument
  readonly own: UserMovieDocument | undefined
}

async function furnished(t: Parameters<typeof openNodeFixture>[0]) {
  const node = await openNodeFixture(t)
  const libraryIds = [await node.newLibrary('/media/films'), await node.newLibrary('/media/others')]
  const { caller } = await node.person({ libraryAccess: 'selected', libraryIds })
  const ids = createTestIds({ series: 'e' })
  const films = await appendFilms(node.town.log, ids, { count: FILMS, libraryIds })
  await appendMarks(node.town.log, ids, { userId: caller.userId, films: films.slice(0, MARKED) })
  await node.seen()
  const known: Known[] = []
  const own = await node.documents.ownOf(
    caller.userId,
    films.map(({ movieId }) => movieId),
  )
  for await (const movie of node.documents.movies.walk({})) known.push({ movie, own: own.get(movie.id) })
  return { node, caller, known, libraryIds }
}

/** All pages of a query, and its total. */
async function walked(node: NodeFixture, caller: Caller, query: MovieQuery, limit: number) {
  const ids: string[] = []
  let after: { readonly value: never; readonly id: string } | undefined
  for (let pages = 0; pages < 500; pages++) {
    const page = await node.movies.list(caller, { ...query, limit, counted: pages === 0, ...(after ? { after } : {}) })
    if (page.items.length > limit) throw new Error('too long a page')
    if (pages === 0) ids.push(`total ${page.total}`)
    ids.push(...page.items.map(({ movie }) => movie.card.id))
    if (!page.next) return ids
    after = page.next as never
  }
  throw new Error('The walk does not end')
}

type Value = string | number | null
const SORT_KEYS: Readonly<Record<string, (known: Known) => Value>> = {
  title: ({ movie }) => movie.sortTitle,
  year: ({ movie }) => movie.details.year,
  releaseDate: ({ movie }) => movie.details.releaseDate,
  addedAt: ({ movie }) => movie.addedAt,
  rating: ({ movie }) => movie.details.rating,
  duration: ({ movie }) => movie.files[0]?.durationMs ?? null,
  size: ({ movie }) => movie.files[0]?.sizeBytes ?? null,
  lastPlayedAt: ({ own }) => own?.lastPlayedAt ?? null,
  playCount: ({ own }) => own?.playCount ?? 0,
}

function compare(a: Value, b: Value, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return sign * (a < b ? -1 : a > b ? 1 : 0)
}

/** What the query means, told plainly. */
function expected(known: readonly Known[], query: MovieQuery, fits: (known: Known) => boolean): readonly string[] {
  const key = SORT_KEYS[query.sort] ?? (() => null)
  const sign = query.order === 'asc' ? 1 : -1
  const sorted = known.filter(fits).toSorted((a, b) => compare(key(a), key(b), sign) || (a.movie.id < b.movie.id ? -1 : 1))
  return [`total ${sorted.length}`, ...sorted.map(({ movie }) => movie.id)]
}

type Choice = readonly [Partial<MovieQuery>, (known: Known) => boolean]

const choices = (random: Random, libraryIds: readonly string[]): readonly Choice[] => [
  [{}, () => true],
  [{ libraryIds: libraryIds.slice(1) }, ({ movie }) => movie.libraryId === libraryIds[1]],
  [{ libraryIds: ['nobody'] }, () => false],
  [{ keys: { genre: ['drama', 'war'] } }, ({ movie }) => movie.details.genres.some((genre) => ['Drama', 'War'].includes(genre))],
  [
    { keys: { genre: ['drama'], resolution: ['1080p'] } },
    ({ movie }) => movie.details.genres.includes('Drama') && movie.files[0]?.resolution === '1080p',
  ],
  [{ yearFrom: 1950, yearTo: 1999 }, ({ movie }) => (movie.details.year ?? 0) >= 1950 && (movie.details.year ?? 0) <= 1999],
  [{ minRating: 5 }, ({ movie }) => (movie.details.rating ?? -1) >= 5],
  [{ maxDurationMs: 5_000_000 }, ({ movie }) => (movie.files[0]?.durationMs ?? Infinity) <= 5_000_000],
  [{ text: 'WInter' }, ({ movie }) => / winter|^winter/.test(foldText(movie.details.title))],
  [{ text: '!?' }, () => false],
  [{ availability: 'missing' }, () => false],
  [{ matched: false }, () => false],
  [{ watched: true }, ({ own }) => own?.watched === true],
  [{ watched: false }, ({ own }) => own?.watched !== true],
  [{ inProgress: true }, ({ own }) => own?.continueKey != null],
  [{ inProgress: false }, ({ own }) => own?.continueKey == null],
  [{ watchlist: true, watched: random.chance(0.5) }, () => true],
]

t.test('pages of every filter and sort, put together, are what a plain filter and sort give, and total counts them', async (t) => {
  const { node, caller, known, libraryIds } = await furnished(t)
  const random = createRandom(21)
  for (const sort of Object.keys(SORT_KEYS) as MovieQuery['sort'][]) {
    for (const [some, fits] of choices(random, libraryIds)) {
      const order = random.pick(['asc', 'desc'] as const)
      const query: MovieQuery = { sort, order, ...some }
      const meant = ({ movie, own }: Known) =>
        fits({ movie, own }) && (query.watchlist !== true || (own?.watchlistAt != null && own.watched === query.watched))
      t.strictSame(await walked(node, caller, query, random.pick([1, 7, 50])), expected(known, query, meant), JSON.stringify(query))
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
  t.equal(new Set(await order({}, 9)).size, FILMS + 1, 'without a seed a walk keeps the one it was begun with')
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
  const { node, caller } = await furnished(t)
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
  for (const { value, count } of facets.years) {
    const page = await node.movies.list(caller, { sort: 'title', order: 'asc', limit: 1, years: [Number(value)], counted: true })
    t.equal(page.total, count, value)
  }
  for (const { id, movieCount } of (await node.catalogue.collections(caller, { limit: 100 })).items) {
    const found = await node.catalogue.collection(caller, id)
    t.equal('movies' in found && found.movies.length, movieCount)
  }
})
