/** Filters and sort of the film list as they stand in the address. The address shows the same list in another browser. Pure. */
import { asOfIn } from './as-of.ts'
import type { ListQuery } from './queries.ts'

export const SORTS = ['title', 'addedAt', 'year', 'rating', 'duration', 'lastPlayedAt', 'random'] as const

/** Filters that take several values, and those that take one. */
const SEVERAL = [
  'libraryId',
  'genre',
  'year',
  'resolution',
  'language',
  'audioLanguage',
  'subtitleLanguage',
  'collectionId',
  'personId',
  'tag',
  'studio',
] as const
const FLAGS = ['watched', 'inProgress', 'watchlist'] as const
const YEARS = ['yearFrom', 'yearTo'] as const
export const FILTERS = [...SEVERAL, ...FLAGS, ...YEARS, 'q'] as const
export type FilterName = (typeof FILTERS)[number]

export interface ActiveFilter {
  readonly name: FilterName
  readonly value: string
}

/** The filters that are set, in the order of the address. A name that is not a filter is passed over. */
export const filtersIn = (search: string): readonly ActiveFilter[] =>
  [...new URLSearchParams(search)].flatMap(([name, value]) => {
    const known = FILTERS.find((filter) => filter === name)
    return known === undefined || value === '' ? [] : [{ name: known, value }]
  })

/** What the API is asked for. What it would refuse is left out: an address that somebody typed still shows a list. */
export function listQueryIn(search: string): ListQuery {
  const query = new URLSearchParams(search)
  const several = SEVERAL.flatMap((name) => {
    const values = query.getAll(name).filter((value) => value !== '')
    return values.length === 0 ? [] : [[name, name === 'year' ? values.map(Number).filter(Number.isInteger) : values] as const]
  })
  const flags = FLAGS.flatMap((name) => (/^(true|false)$/.test(query.get(name) ?? '') ? [[name, query.get(name) === 'true'] as const] : []))
  const years = YEARS.flatMap((name) => (/^\d{1,4}$/.test(query.get(name) ?? '') ? [[name, Number(query.get(name))] as const] : []))
  const sort = SORTS.find((name) => name === query.get('sort'))
  const order = query.get('order')
  const seed = query.get('seed') ?? ''
  const q = query.get('q') ?? ''
  const asOf = asOfIn(search)
  return {
    ...Object.fromEntries([...several, ...flags, ...years]),
    ...(q === '' ? {} : { q: q.slice(0, 200) }),
    ...(sort === undefined ? {} : { sort }),
    ...(order === 'asc' || order === 'desc' ? { order } : {}),
    ...(asOf === undefined ? {} : { asOf }),
    ...(sort === 'random' && /^\d{1,9}$/.test(seed) ? { seed: Number(seed) } : {}),
  } as ListQuery
}

/** The address without one value of a filter. */
export function withoutFilter(search: string, { name, value }: ActiveFilter): string {
  const query = new URLSearchParams(search)
  const rest = query.getAll(name).filter((one) => one !== value)
  query.delete(name)
  for (const one of rest) query.append(name, one)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
