/** What a list of movies can be asked for, on the wire. */
import { Type, type Static, type TSchema } from 'typebox'
import { SORTS, type KeyedFilters, type MovieQuery } from '../../app/movies/movie-query.ts'
import { SEED_MAX } from '../../app/movies/shuffle.ts'
import { languageTag } from '../../vocabulary/language.ts'
import { RESOLUTIONS } from '../../vocabulary/resolution.ts'
import { foldText } from '../../vocabulary/text.ts'
import { AS_OF_QUERY } from '../server/as-of.ts'
import { invalid } from '../server/errors.ts'
import { PAGE_QUERY } from '../server/paging.ts'
import { toMs } from '../server/values-presenter.ts'
import { utcTime } from '../server/times.ts'
import { Id, text, Time } from '../server/values-schemas.ts'

const VALUES_MAX = 100

const several = <T extends TSchema>(item: T, description: string) =>
  Type.Optional(Type.Array(item, { maxItems: VALUES_MAX, description: `${description}; may be given several times: any of them.` }))
const words = (description: string) => several(text(200, { minLength: 1 }), description)
const year = Type.Integer({ minimum: 0, maximum: 9999 })
const duration = Type.Number({ minimum: 0, maximum: 1e9, description: 'Seconds.' })
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

export const LIBRARY_FILTER = { libraryId: several(Id, 'Only movies of this library') }

const FILTERS = {
  ...LIBRARY_FILTER,
  q: Type.Optional(text(200, { minLength: 1, description: 'Each word begins a word of the title, the original title or a person.' })),
  genre: words('Genre'),
  year: several(year, 'Year'),
  yearFrom: Type.Optional(year),
  yearTo: Type.Optional(year),
  personId: several(Id, 'Person in cast or crew'),
  studio: words('Studio'),
  tag: words('Tag'),
  contentRating: words('Content rating'),
  language: words('Language of the film'),
  audioLanguage: words('Language of a sound track'),
  subtitleLanguage: words('Language of subtitles'),
  resolution: several(Type.Enum([...RESOLUTIONS]), 'Resolution'),
  videoCodec: words('Codec of the picture, as ffprobe prints it'),
  hdr: words('Kind of HDR'),
  minRating: Type.Optional(Type.Number({ minimum: 0, maximum: 10 })),
  minDuration: Type.Optional(duration),
  maxDuration: Type.Optional(duration),
  watched: flag('Marked as watched by the caller.'),
  inProgress: flag('On the caller’s continue-watching list.'),
  watchlist: flag('On the caller’s watchlist.'),
  collectionId: several(Id, 'Collection'),
  addedAfter: Type.Optional(Time),
  addedBefore: Type.Optional(Time),
  availability: Type.Optional(Type.Enum(['available', 'missing', 'all'], { description: 'Default: `available`.' })),
  matched: flag('Whether an id, an .nfo or an administrator says which film it is.'),
}

export const MovieListQuery = Type.Object({
  ...PAGE_QUERY,
  ...AS_OF_QUERY,
  ...FILTERS,
  sort: Type.Optional(Type.Enum([...SORTS], { default: 'title' })),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'Default: `asc` for titles, else `desc`.' })),
  seed: Type.Optional(Type.Integer({ minimum: 0, maximum: SEED_MAX, description: 'Of `random`: the same seed, the same order.' })),
  include: Type.Optional(Type.Enum(['total'], { description: '`total`: how many movies there are in all.' })),
})
type ListQuery = Static<typeof MovieListQuery>

const PAGING: ReadonlySet<string> = new Set(['cursor', 'limit', 'include'])
const LISTED = Object.keys(MovieListQuery.properties).filter((name) => !PAGING.has(name))

/** What makes a list another one: everything but the page. */
export function listScopeOf(query: ListQuery): Readonly<Record<string, string>> {
  const given = new Map(Object.entries(query))
  return Object.fromEntries(LISTED.flatMap((name) => (given.has(name) ? [[name, JSON.stringify(given.get(name))]] : [])))
}

/** @throws HttpError 422 years the wrong way round, a time that is none */
export function toMovieQuery(query: ListQuery): MovieQuery {
  const { sort = 'title', yearFrom, yearTo } = query
  if (yearFrom !== undefined && yearTo !== undefined && yearFrom > yearTo) {
    throw invalid([{ path: 'yearFrom', message: 'must not be later than yearTo' }])
  }
  return {
    sort,
    order: query.order ?? (sort === 'title' ? 'asc' : 'desc'),
    ...only('keys', someOf(keysOf(query))),
    ...only('seed', query.seed),
    ...only('libraryIds', query.libraryId),
    ...only('text', query.q),
    ...only('years', query.year),
    ...only('yearFrom', yearFrom),
    ...only('yearTo', yearTo),
    ...only('minRating', query.minRating),
    ...only('minDurationMs', query.minDuration && toMs(query.minDuration)),
    ...only('maxDurationMs', query.maxDuration === undefined ? undefined : toMs(query.maxDuration)),
    ...only('addedAfter', query.addedAfter && utcTime(query.addedAfter, 'addedAfter')),
    ...only('addedBefore', query.addedBefore && utcTime(query.addedBefore, 'addedBefore')),
    ...only('availability', query.availability),
    ...only('matched', query.matched),
    ...only('watched', query.watched),
    ...only('inProgress', query.inProgress),
    ...only('watchlist', query.watchlist),
  }
}

function only<Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in Name]?: Value }
}

const someOf = (keys: KeyedFilters) => (Object.keys(keys).length > 0 ? keys : undefined)

const asIs = (value: string) => value
const lower = (value: string) => value.toLowerCase()
const language = (value: string) => languageTag(value) ?? value

/** Values folded as the keys are. */
function keysOf(query: ListQuery): KeyedFilters {
  const key = <Kind extends keyof KeyedFilters>(kind: Kind, values: readonly string[] | undefined, fold: (value: string) => string) =>
    only(kind, values?.map(fold))
  return {
    ...key('genre', query.genre, foldText),
    ...key('studio', query.studio, foldText),
    ...key('tag', query.tag, foldText),
    ...key('contentRating', query.contentRating, foldText),
    ...key('person', query.personId, asIs),
    ...key('collection', query.collectionId, asIs),
    ...key('language', query.language, language),
    ...key('audioLanguage', query.audioLanguage, language),
    ...key('subtitleLanguage', query.subtitleLanguage, language),
    ...key('resolution', query.resolution, asIs),
    ...key('videoCodec', query.videoCodec, lower),
    ...key('hdr', query.hdr, lower),
  }
}
