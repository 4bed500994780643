/** Documents with many ties, nulls and odd texts, for tests of what stores and sorts them; and a plain telling of what a query means. */
import type { Json, JsonObject } from '../../src/events/envelope.ts'
import { START } from '../../src/events/position.ts'
import type { CollectionSpec, Filter, Query, Sort, StoredDocument } from '../../src/ports/read-store.ts'
import { createRandom, type Random } from './random.ts'

export const FILMS: CollectionSpec = {
  name: 'films_g1',
  fields: {
    title: 'text',
    year: 'number',
    rating: 'number',
    watched: 'boolean',
    library: 'text',
    note: 'text',
    genres: 'list',
    words: 'tokens',
  },
  indexes: [['title'], ['year'], ['rating'], ['watched'], ['library', 'title'], ['library', 'watched', 'year'], ['library']],
}

/** Beyond U+FFFF, just below it, empty, case, blanks: where UTF-16 order, code points and collations differ. */
const TITLES = ['', 'a', 'A', 'ab', 'abc', 'b', 'é', 'z', '\u{1F37F}', '\uFFFD', '\u{10FFFF}', 'a b', 'a\u{1F37F}', 'a\uFFFD'] as const
const YEARS = [1895, 1999, 2019, 2019.5, -3, 0] as const
const GENRES = ['drama', 'comedy', 'western', 7, 8] as const
const WORDS = ['matrix', 'mat', 'maxtrix', 'grosse', 'groß', 'z\u{1F37F}', 'der', 'die', 'das'] as const
const LIBRARIES = ['one', 'two', 'three'] as const

function someOf<Item>(random: Random, items: readonly Item[]): Item[] {
  return items.filter(() => random.chance(0.3))
}

export function randomFilm(random: Random, id: string, at = START): StoredDocument {
  const orNothing = (value: Json): JsonObject[string] | undefined => (random.chance(0.15) ? null : random.chance(0.1) ? undefined : value)
  const members = {
    title: orNothing(random.pick(TITLES)),
    year: orNothing(random.pick(YEARS)),
    rating: orNothing(random.below(100) / 10),
    watched: orNothing(random.chance(0.5)),
    library: orNothing(random.pick(LIBRARIES)),
    note: orNothing(random.pick(TITLES)),
    genres: orNothing(someOf(random, GENRES)),
    words: orNothing(someOf(random, WORDS)),
    more: { nested: [random.below(10)] },
  }
  return { id, at, body: JSON.parse(JSON.stringify(members)) as JsonObject }
}

/** Ids whose order is neither that of insertion nor that of UTF-16. */
export function randomFilms(seed: number, count: number): StoredDocument[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, (_, number) => {
    const id = `${random.pick(['f', '\u{1F37F}', '\uFFFD', 'F'])}${random.below(1_000_000)}-${number}`
    return randomFilm(random, id)
  })
}

const FILTERS: readonly ((random: Random) => Filter)[] = [
  (random) => ({ field: 'title', op: 'eq', value: random.chance(0.2) ? null : random.pick(TITLES) }),
  (random) => ({ field: 'library', op: 'eq', value: random.chance(0.2) ? null : random.pick(LIBRARIES) }),
  (random) => ({ field: 'watched', op: 'eq', value: random.chance(0.2) ? null : random.chance(0.5) }),
  () => ({ field: 'genres', op: 'eq', value: null }),
  (random) => ({ field: 'note', op: 'in', values: someOf(random, TITLES) }),
  (random) => ({ field: 'title', op: 'in', values: someOf(random, TITLES) }),
  (random) => ({ field: 'library', op: 'in', values: someOf(random, LIBRARIES) }),
  (random) => ({ field: 'year', op: 'in', values: someOf(random, YEARS) }),
  (random) => ({ field: 'year', op: random.pick(['gt', 'gte', 'lt', 'lte'] as const), value: random.pick(YEARS) }),
  (random) => ({ field: 'title', op: random.pick(['gt', 'gte', 'lt', 'lte'] as const), value: random.pick(TITLES) }),
  (random) => ({ field: 'rating', op: random.pick(['gt', 'gte', 'lt', 'lte'] as const), value: random.below(100) / 10 }),
  (random) => ({ field: 'title', op: 'prefix', value: random.pick(['', 'a', 'ab', '\u{1F37F}', '\u{10FFFF}', '\uFFFD']) }),
  (random) => ({ field: 'note', op: 'prefix', value: random.pick(['', 'a', '\uD7FF']) }),
  (random) => ({ field: 'genres', op: 'has', values: someOf(random, GENRES) }),
  (random) => ({ field: 'words', op: 'tokens', words: someOf(random, ['mat', 'm', 'gro', 'd', 'z\u{1F37F}', 'x', '']) }),
]

export function randomQuery(random: Random): Query {
  const where = Array.from({ length: random.below(4) }, () => random.pick(FILTERS)(random))
  const field = random.pick([undefined, 'title', 'year', 'rating', 'watched'])
  const sort: Sort | undefined = field ? { field, direction: random.pick(['asc', 'desc']) } : undefined
  const scan = random.pick([undefined, 3, 11, 40])
  return { where, ...(sort ? { sort } : {}), ...(scan ? { scan } : {}), limit: random.pick([1, 2, 5, 20, 1000]) }
}

/** Ids of all documents that the query means, in its order: by the words of the port, without pages. */
export function expectedIds(films: readonly StoredDocument[], { where = [], sort }: Query): readonly string[] {
  const bytes = (text: string): Buffer => Buffer.from(text)
  const member = (film: StoredDocument): Json => (sort ? (film.body[sort.field] ?? null) : null)
  const byValue = (a: Json, b: Json): number => {
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    const order = typeof a === 'string' && typeof b === 'string' ? Buffer.compare(bytes(a), bytes(b)) : Number(a) - Number(b)
    return sort?.direction === 'desc' ? -order : order
  }
  return films
    .filter((film) => where.every((filter) => meets(film, filter)))
    .sort((a, b) => byValue(member(a), member(b)) || Buffer.compare(bytes(a.id), bytes(b.id)))
    .map(({ id }) => id)
}

function meets({ body }: StoredDocument, filter: Filter): boolean {
  const value = body[filter.field] ?? null
  const list = Array.isArray(value) ? value : []
  if (filter.op === 'eq') return value === filter.value
  if (filter.op === 'in') return filter.values.some((one) => one === value)
  if (filter.op === 'has') return filter.values.some((one) => list.includes(one))
  if (filter.op === 'tokens') return value !== null && filter.words.every((word) => list.some((item) => String(item).startsWith(word)))
  if (filter.op === 'prefix') return typeof value === 'string' && value.startsWith(filter.value)
  if (value === null) return false
  const order =
    typeof value === 'string' ? Buffer.compare(Buffer.from(value), Buffer.from(String(filter.value))) : Number(value) - Number(filter.value)
  return { gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[filter.op]
}
