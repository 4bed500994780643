/** Schemas of movie list queries. */
import { Type, type Static, type TSchema } from 'typebox'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { Caller } from '../../app/access/caller.ts'
import { ANCHORS_MAX } from '../../app/movies/movie-anchors.ts'
import { SORTS, type KeyedFilters, type MovieQuery } from '../../app/movies/movie-query.ts'
import { SEED_MAX } from '../../app/movies/shuffle.ts'
import { languageTag } from '../../vocabulary/language.ts'
import { RESOLUTIONS } from '../../vocabulary/resolution.ts'
import { foldText } from '../../vocabulary/text.ts'
import { AS_OF_QUERY } from '../server/as-of.ts'
import { invalid } from '../server/errors.ts'
import { PAGE_QUERY } from '../server/paging.ts'
import type { CursorScope } from '../server/cursors.ts'
import { VIEW_QUERY } from './movie-schemas.ts'
import { toMs } from '../server/values-presenter.ts'
import { utcTime } from '../server/times.ts'
import { Id, text, Time } from '../server/values-schemas.ts'

const VALUES_MAX = 100

const several = <T extends TSchema>(item: T, description: string) =>
  Type.Optional(Type.Array(item, { maxItems: VALUES_MAX, description: `${description}; if repeated, any of the values matches.` }))
const words = (description: string) => several(text(200, { minLength: 1 }), description)
const year = Type.Integer({ minimum: 0, maximum: 9999 })
const duration = Type.Number({ minimum: 0, maximum: 1e9, description: 'Seconds.' })
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

export const LIBRARY_FILTER = { libraryId: several(Id, 'Only movies of this library') }

export const SEARCH_TEXT = text(200, {
  minLength: 1,
  description:
    'Search text. Each word must be the beginning of a word in the title, the original title or the name of a person, with or without the punctuation in it. A text without letters and digits finds symbols that stand between spaces, for example `$` or `…`.',
})

const FILTERS = {
  id: several(Id, 'Only this movie'),
  ...LIBRARY_FILTER,
  q: Type.Optional(SEARCH_TEXT),
  genre: words('Genre'),
  year: several(year, 'Year'),
  yearFrom: Type.Optional(year),
  yearTo: Type.Optional(year),
  personId: several(Id, 'Person in cast or crew'),
  studio: words('Studio'),
  tag: words('Tag'),
  contentRating: words('Content rating'),
  language: words('Language of the film'),
  audioLanguage: words('Language of an audio track'),
  subtitleLanguage: words('Language of subtitles'),
  resolution: several(Type.Enum([...RESOLUTIONS]), 'Resolution'),
  videoCodec: words('Video codec, as ffprobe prints it'),
  hdr: words('Kind of HDR'),
  minRating: Type.Optional(Type.Number({ minimum: 0, maximum: 10 })),
  minDuration: Type.Optional(duration),
  maxDuration: Type.Optional(duration),
  watched: flag('Marked as watched by the caller.'),
  inProgress: flag('On the caller’s continue-watching list. A watched movie that was started again is, too.'),
  watchlist: flag('On the caller’s watchlist.'),
  collectionId: several(Id, 'Collection'),
  addedAfter: Type.Optional(Time),
  addedBefore: Type.Optional(Time),
  availability: Type.Optional(Type.Enum(['available', 'missing', 'all'], { description: 'Default: `available`.' })),
  matched: flag('Whether an id, an .nfo or an administrator identifies the film.'),
}

/** The parameters that determine the list: all except those of the page. */
const LIST = {
  ...AS_OF_QUERY,
  ...FILTERS,
  sort: Type.Optional(Type.Enum([...SORTS], { default: 'title' })),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'Default: `asc` for titles, else `desc`.' })),
  seed: Type.Optional(Type.Integer({ minimum: 0, maximum: SEED_MAX, description: 'For `random`: the same seed gives the same order.' })),
}
type ListQuery = Static<ReturnType<typeof Type.Object<typeof LIST>>>

export const MovieListQuery = Type.Object({
  ...PAGE_QUERY,
  ...LIST,
  ...VIEW_QUERY,
})

export const EVERY_DEFAULT = 100

export const MovieAnchorsQuery = Type.Object({
  every: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: EVERY_DEFAULT,
      description: `Movies from one anchor to the next. There are at most ${ANCHORS_MAX} anchors.`,
    }),
  ),
  ...LIST,
})

/** The parsed query of a list, or of positions in one. Both use the cursors of the list. */
export function readListQuery({ userId }: Pick<Caller, 'userId'>, query: ListQuery) {
  const asked = toMovieQuery(query)
  const given = new Map(Object.entries(query))
  // A cursor holds whether the default is named or not.
  if (given.get('availability') === 'available') given.delete('availability')
  const named = Object.keys(LIST).flatMap((name) => (given.has(name) ? [[name, JSON.stringify(given.get(name))]] : []))
  return {
    query: asked,
    scope: { userId, route: 'movies', query: { ...Object.fromEntries(named), order: asked.order } } satisfies CursorScope,
    /** The same request may get another response, although nothing has changed. */
    isFleeting: query.asOf !== undefined || (asked.sort === 'random' && asked.seed === undefined),
  }
}

type FilterName = keyof typeof FILTERS
type Filter = Omit<MovieQuery, 'sort' | 'order' | 'seed'>

const asIs = (value: string) => value
const lower = (value: string) => value.toLowerCase()
const language = (value: string) => languageTag(value) ?? value
/** A filter by key: its values are case-folded like the keys. */
const keyed =
  (kind: keyof KeyedFilters, fold: (value: string) => string) =>
  (values: readonly string[]): Filter => ({ keys: { [kind]: values.map(fold) } })

/** The meaning of each filter: a missing filter does not compile. */
const MEANINGS = {
  id: (ids) => ({ ids }),
  libraryId: (libraryIds) => ({ libraryIds }),
  q: (q) => ({ text: q }),
  genre: keyed('genre', foldText),
  year: (years) => ({ years }),
  yearFrom: (yearFrom) => ({ yearFrom }),
  yearTo: (yearTo) => ({ yearTo }),
  personId: keyed('person', asIs),
  studio: keyed('studio', foldText),
  tag: keyed('tag', foldText),
  contentRating: keyed('contentRating', foldText),
  language: keyed('language', language),
  audioLanguage: keyed('audioLanguage', language),
  subtitleLanguage: keyed('subtitleLanguage', language),
  resolution: keyed('resolution', asIs),
  videoCodec: keyed('videoCodec', lower),
  hdr: keyed('hdr', lower),
  minRating: (minRating) => ({ minRating }),
  minDuration: (seconds) => ({ minDurationMs: toMs(seconds) }),
  maxDuration: (seconds) => ({ maxDurationMs: toMs(seconds) }),
  watched: (watched) => ({ watched }),
  inProgress: (inProgress) => ({ inProgress }),
  watchlist: (watchlist) => ({ watchlist }),
  collectionId: keyed('collection', asIs),
  addedAfter: (time) => ({ addedAfter: utcTime(time, 'addedAfter') }),
  addedBefore: (time) => ({ addedBefore: utcTime(time, 'addedBefore') }),
  availability: (availability) => ({ availability }),
  matched: (matched) => ({ matched }),
} satisfies { readonly [Name in FilterName]: (value: NonNullable<ListQuery[Name]>) => Filter }

/** @throws HttpError 422 for years in the wrong order and invalid times */
function toMovieQuery(query: ListQuery): MovieQuery {
  const { sort = 'title', yearFrom, yearTo, seed } = query
  if (yearFrom !== undefined && yearTo !== undefined && yearFrom > yearTo) {
    throw invalid([{ path: 'yearFrom', message: 'must not be later than yearTo' }])
  }
  const filters = Object.keys(MEANINGS).map((name) => meaningOf(query, name as FilterName))
  const keys = Object.assign({}, ...filters.map((filter) => filter.keys)) as KeyedFilters
  return {
    sort,
    order: query.order ?? (sort === 'title' ? 'asc' : 'desc'),
    ...omitUndefined({ seed }),
    ...(Object.assign({}, ...filters) as Filter),
    ...(Object.keys(keys).length > 0 ? { keys } : {}),
  }
}

function meaningOf(query: ListQuery, name: FilterName): Filter {
  const value = query[name]
  const meaning = MEANINGS[name] as (value: unknown) => Filter
  return value === undefined ? {} : meaning(value)
}
