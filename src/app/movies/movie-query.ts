/** Defines the query of a movie list, and translates it into filters of the read store. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { LibraryId } from '../../vocabulary/id.ts'
import { searchWords } from '../../vocabulary/text.ts'
import { keyOf, type FactKind, type FileKind } from '../../../projections/views/movie-query-fields.ts'
import type { UserMovieDocument } from '../../../projections/views/user-movies.ts'
import type { Filter } from '../../ports/read-store.ts'

export const SORTS = [
  'title',
  'year',
  'releaseDate',
  'addedAt',
  'rating',
  'duration',
  'lastPlayedAt',
  'playCount',
  'size',
  'random',
] as const
export type MovieSort = (typeof SORTS)[number]

/** Filters on keys of the movie; the values are folded like the keys. */
export type KeyedFilters = { readonly [Kind in Exclude<FactKind, 'matched'> | FileKind]?: readonly string[] }

/** Filters on the caller's own state. */
export interface OwnFilters {
  readonly watched?: boolean
  readonly inProgress?: boolean
  readonly watchlist?: boolean
}

/** Filters on a bound of one field. */
interface BoundFilters {
  readonly yearFrom?: number
  readonly yearTo?: number
  readonly minRating?: number
  readonly minDurationMs?: number
  readonly maxDurationMs?: number
  readonly addedAfter?: string
  readonly addedBefore?: string
}

export interface MovieQuery extends OwnFilters, BoundFilters {
  readonly sort: MovieSort
  readonly order: 'asc' | 'desc'
  /** For a random order; without it each walk gets another seed. */
  readonly seed?: number
  /** Only these movies, at most 1,000. */
  readonly ids?: readonly string[]
  /** Only these libraries; those that the caller may not see are silently ignored. */
  readonly libraryIds?: readonly string[]
  /** Free text: every word must begin a word of title, original title or a person. Without letters and digits, its symbols do. */
  readonly text?: string
  readonly keys?: KeyedFilters
  readonly years?: readonly number[]
  /** Default `available`. */
  readonly availability?: 'available' | 'missing' | 'all'
  readonly matched?: boolean
}

/** Filters on movies, within the libraries that the caller sees. */
export function filtersOf(query: MovieQuery, libraryIds: readonly LibraryId[]): readonly Filter[] {
  return [
    ...availabilityOf(query),
    { field: 'libraryId', op: 'in', values: libraryIds },
    ...textOf(query),
    ...keysOf(query),
    ...(query.years ? [{ field: 'year', op: 'in', values: query.years } as const] : []),
    ...boundsOf(query),
  ]
}

function availabilityOf({ availability = 'available' }: MovieQuery): readonly Filter[] {
  if (availability === 'all') return []
  return [{ field: availability, op: 'eq', value: true }]
}

/** A text of white space alone matches nothing. */
function textOf({ text }: MovieQuery): readonly Filter[] {
  if (text === undefined) return []
  const words = searchWords([text])
  return words.length > 0 ? [{ field: 'words', op: 'tokens', words }] : [{ field: 'libraryId', op: 'in', values: [] }]
}

/** The field with the keys of each kind: a missing kind does not compile. */
const KEY_FIELDS: { readonly [Kind in FactKind]: 'factKeys' } & { readonly [Kind in FileKind]: 'fileKeys' } = {
  genre: 'factKeys',
  studio: 'factKeys',
  tag: 'factKeys',
  contentRating: 'factKeys',
  person: 'factKeys',
  collection: 'factKeys',
  matched: 'factKeys',
  title: 'factKeys',
  tmdb: 'factKeys',
  imdb: 'factKeys',
  videoCodec: 'fileKeys',
  resolution: 'fileKeys',
  hdr: 'fileKeys',
  audioLanguage: 'fileKeys',
  subtitleLanguage: 'fileKeys',
  language: 'fileKeys',
}

function keysOf({ keys = {}, matched }: MovieQuery): readonly Filter[] {
  const asked = Object.entries({ ...keys, ...omitUndefined({ matched: matched === undefined ? undefined : [String(matched)] }) })
  return asked.map(([name, values]) => {
    const kind = name as keyof typeof KEY_FIELDS
    return { field: KEY_FIELDS[kind], op: 'has', values: values.map((value) => keyOf(kind, value)) }
  })
}

/** The field and the comparison of each bound: a missing bound does not compile. */
const BOUNDS: { readonly [Name in keyof BoundFilters]-?: { readonly field: string; readonly op: 'gt' | 'gte' | 'lt' | 'lte' } } = {
  yearFrom: { field: 'year', op: 'gte' },
  yearTo: { field: 'year', op: 'lte' },
  minRating: { field: 'rating', op: 'gte' },
  minDurationMs: { field: 'durationMs', op: 'gte' },
  maxDurationMs: { field: 'durationMs', op: 'lte' },
  addedAfter: { field: 'addedAt', op: 'gt' },
  addedBefore: { field: 'addedAt', op: 'lt' },
}

const boundsOf = (query: BoundFilters): readonly Filter[] =>
  Object.entries(BOUNDS).flatMap(([name, { field, op }]) => {
    const value = query[name as keyof BoundFilters]
    return value === undefined ? [] : [{ field, op, value }]
  })

type OwnState = Pick<UserMovieDocument, 'watched' | 'continueKey' | 'watchlistAt'> | null

/** Test of the caller's own state; undefined if the query has no such filter. */
export function ownTestOf({ watched, inProgress, watchlist }: OwnFilters): ((own: OwnState) => boolean) | undefined {
  if (watched === undefined && inProgress === undefined && watchlist === undefined) return undefined
  const fits = (asked: boolean | undefined, is: boolean) => asked === undefined || asked === is
  return (own) =>
    fits(watched, own?.watched ?? false) &&
    fits(inProgress, own !== null && own.continueKey !== null) &&
    fits(watchlist, own !== null && own.watchlistAt !== null)
}
