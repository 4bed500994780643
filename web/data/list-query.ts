/** Filters and sort of the film list as they stand in the address. The address shows the same list in another browser. Pure. */
import { asOfIn } from './as-of.ts'
import type { ListQuery } from './queries.ts'
import { isId, isText, isYear, queryText } from './typed.ts'

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

/** Of one filter. */
const MOST_VALUES = 100

export interface ActiveFilter {
  readonly name: FilterName
  readonly value: string
}

const isResolution = (text: string): boolean => /^(240|360|480|720|1080|1440|2160)p$/.test(text)

/** Whether the API takes the value. */
function fits(name: FilterName, value: string): boolean {
  if (name.endsWith('Id')) return isId(value)
  if (name.startsWith('year')) return isYear(value)
  if (name === 'resolution') return isResolution(value)
  if (name === 'q') return queryText(value) !== ''
  return FLAGS.some((flag) => flag === name) ? value === 'true' || value === 'false' : isText(value)
}

/** The filters that are set, in the order of the address. A name that is not a filter is passed over, and so is a value that is none. */
export const filtersIn = (search: string): readonly ActiveFilter[] =>
  [...new URLSearchParams(search)].flatMap(([name, value]) => {
    const known = FILTERS.find((filter) => filter === name)
    return known === undefined || !fits(known, value) ? [] : [{ name: known, value }]
  })

/** What the API is asked for. What it would refuse is left out: an address that somebody typed still shows a list. */
export function listQueryIn(search: string): ListQuery {
  const query = new URLSearchParams(search)
  const several = SEVERAL.flatMap((name) => {
    const values = query
      .getAll(name)
      .filter((value) => fits(name, value))
      .slice(0, MOST_VALUES)
    return values.length === 0 ? [] : [[name, name === 'year' ? values.map(Number) : values] as const]
  })
  const one = (name: FilterName): string | undefined => query.getAll(name).find((value) => fits(name, value))
  const flags = FLAGS.flatMap((name) => (one(name) === undefined ? [] : [[name, one(name) === 'true'] as const]))
  const years = YEARS.flatMap((name) => (one(name) === undefined ? [] : [[name, Number(one(name))] as const]))
  const isRange = years.length < 2 || Number(one('yearFrom')) <= Number(one('yearTo'))
  const sort = SORTS.find((name) => name === query.get('sort'))
  const order = query.get('order')
  const seed = query.get('seed') ?? ''
  const q = queryText(query.get('q') ?? '')
  const asOf = asOfIn(search)
  return {
    ...Object.fromEntries([...several, ...flags, ...(isRange ? years : [])]),
    ...(q === '' ? {} : { q }),
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
