/** Reads film data from an `.nfo` in Kodi's format, which every media manager writes. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { CastMember, CrewMember, MovieFacts } from '../../events/movie-events.ts'
import { languageTag } from '../../vocabulary/language.ts'
import { distinctNames } from '../../vocabulary/text.ts'
import type { ExternalIds } from './movie-name.ts'
import type { NfoDocument } from './nfo-document.ts'
import { attributeOf, childrenOf, readNfoDocument, textOf, textsOf } from './nfo-document.ts'

const MAX_TEXT = 10_000
const MAX_LINE = 300
const MAX_CAST = 200
const MAX_LIST = 100

/** Has only the members that are in the file. Undefined for hostile, broken or empty input; never throws. */
export function readNfo(bytes: Uint8Array): Partial<MovieFacts> | undefined {
  const document = readNfoDocument(bytes)
  if (!document) return undefined
  const facts = { ...titles(document.movie), ...descriptions(document.movie), ...lists(document), ...people(document.movie) }
  return Object.keys(facts).length > 0 ? facts : undefined
}

function titles(movie: unknown): Partial<MovieFacts> {
  const title = line(textsOf(movie, 'title'))
  const originalTitle = line(textsOf(movie, 'originaltitle'))
  const sortTitle = line(textsOf(movie, 'sorttitle'))
  const releaseDate = textsOf(movie, 'premiered', 'releasedate')
    .map(dateOf)
    .find((date) => date !== null)
  const year = yearOf(textsOf(movie, 'year')[0]) ?? yearOf(releaseDate?.slice(0, 4))
  return {
    ...(title === null ? {} : { title }),
    ...(originalTitle === null ? {} : { originalTitle }),
    ...(sortTitle === null ? {} : { sortTitle }),
    ...(year === null ? {} : { year }),
    ...omitUndefined({ releaseDate }),
  }
}

function descriptions(movie: unknown): Partial<MovieFacts> {
  const overview = textsOf(movie, 'plot', 'outline')[0]?.slice(0, MAX_TEXT)
  const tagline = line(textsOf(movie, 'tagline'))
  const contentRating = line(textsOf(movie, 'mpaa').map(ratingIn))
  const rating = ratingOf(movie)
  const collection = line([...childrenOf(movie, 'set').flatMap((set) => textsOf(set, 'name')), ...textsOf(movie, 'set')])
  return {
    ...omitUndefined({ overview }),
    ...(tagline === null ? {} : { tagline }),
    ...(contentRating === null ? {} : { contentRating }),
    ...(rating === null ? {} : { rating }),
    ...(collection === null ? {} : { collection }),
  }
}

/** `PG-13` from `Rated PG-13 for violence`. */
function ratingIn(text: string): string {
  const [rating = ''] = (line([text]) ?? '').replace(/^rated /i, '').split(/ for /i, 1)
  return rating
}

function lists({ movie, outside }: NfoDocument): Partial<MovieFacts> {
  const list = (...names: readonly string[]): readonly string[] => distinct(textsOf(movie, ...names).flatMap((text) => text.split(' / ')))
  const [genres, tags, countries, studios] = [list('genre'), list('tag'), list('country'), list('studio')]
  const languages = distinct(
    list('language', 'languages')
      .flatMap((text) => text.split(/[,/]/))
      .flatMap((text) => languageTag(text) ?? []),
  )
  const externalIds = idsOf(movie, outside)
  return {
    ...(genres.length > 0 ? { genres } : {}),
    ...(tags.length > 0 ? { tags } : {}),
    ...(countries.length > 0 ? { countries } : {}),
    ...(studios.length > 0 ? { studios } : {}),
    ...(languages.length > 0 ? { languages } : {}),
    ...(externalIds.tmdb === null && externalIds.imdb === null ? {} : { externalIds }),
  }
}

function people(movie: unknown): Partial<MovieFacts> {
  const cast = childrenOf(movie, 'actor')
    .flatMap(castMember)
    .toSorted((a, b) => a.order - b.order)
  const directors = textsOf(movie, 'director')
    .slice(0, MAX_LIST)
    .flatMap(withJob({ job: 'Director', department: 'Directing' }))
  const writers = textsOf(movie, 'credits', 'writer')
    .slice(0, MAX_LIST)
    .flatMap(withJob({ job: 'Writer', department: 'Writing' }))
  const byNameAndJob = Map.groupBy([...directors, ...writers], ({ name, job }) => `${job}\n${name}`)
  const crew = [...byNameAndJob.values()].flatMap(([first]) => first ?? [])
  return {
    ...(cast.length > 0 ? { cast: cast.slice(0, MAX_CAST).map(({ member }) => member) } : {}),
    ...(crew.length > 0 ? { crew: crew.slice(0, MAX_LIST) } : {}),
  }
}

/** An actor without an explicit order keeps the file's order. */
function castMember(actor: unknown, index: number): readonly { readonly order: number; readonly member: CastMember }[] {
  const name = line(textsOf(actor, 'name'))
  const order = Number.parseInt(textsOf(actor, 'order', 'sortorder')[0] ?? '', 10)
  return name === null ? [] : [{ order: Number.isNaN(order) ? index : order, member: { name, character: line(textsOf(actor, 'role')) } }]
}

function withJob(work: Omit<CrewMember, 'name'>): (names: string) => readonly CrewMember[] {
  return (names) => distinct(names.split(' / ')).map((name) => ({ name, job: work.job, department: work.department }))
}

/** The default rating, else the first, from 0 to 10; Kodi writes 0 for none. */
function ratingOf(movie: unknown): number | null {
  const ratings = childrenOf(movie, 'ratings').flatMap((group) => childrenOf(group, 'rating'))
  const chosen = ratings.find((rating) => attributeOf(rating, 'default') === 'true') ?? ratings[0]
  const value = decimal(textsOf(chosen, 'value')[0] ?? textsOf(movie, 'rating')[0])
  const max = decimal(attributeOf(chosen, 'max')) || 10
  const rating = Math.round((value / max) * 1000) / 100
  return rating > 0 && rating <= 10 ? rating : null
}

function idsOf(movie: unknown, outside: string): ExternalIds {
  const unique = childrenOf(movie, 'uniqueid')
  const ofType = (type: string): readonly string[] =>
    unique.filter((id) => attributeOf(id, 'type')?.toLowerCase() === type).map((id) => textOf(id))
  const old = textsOf(movie, 'id')
  const imdb = [...ofType('imdb'), ...textsOf(movie, 'imdbid', 'imdb_id', 'imdb'), ...old]
  const tmdb = [
    ...ofType('tmdb'),
    ...textsOf(movie, 'tmdbid', 'tmdb_id', 'tmdb'),
    ...childrenOf(movie, 'id').flatMap((id) => attributeOf(id, 'tmdb') ?? []),
  ]
  return {
    imdb: imdb.find((id) => /^tt\d{6,10}$/.test(id)) ?? /imdb\.com\/title\/(tt\d{6,10})/.exec(outside)?.[1] ?? null,
    tmdb: tmdb.find((id) => /^[1-9]\d{0,9}$/.test(id)) ?? /themoviedb\.org\/movie\/([1-9]\d{0,9})/.exec(outside)?.[1] ?? null,
  }
}

/** The first text that is not empty, on one line. */
function line(texts: readonly string[]): string | null {
  return texts.map((text) => text.replace(/\s+/g, ' ').trim().slice(0, MAX_LINE)).find((text) => text !== '') ?? null
}

function distinct(texts: readonly string[]): readonly string[] {
  return distinctNames(texts.flatMap((text) => line([text]) ?? [])).slice(0, MAX_LIST)
}

function yearOf(text: string | undefined): number | null {
  return /^(?:18[89]|19\d|20\d)\d$/.test(text ?? '') ? Number(text) : null
}

/** `YYYY-MM-DD` if that day exists. */
function dateOf(text: string): string | null {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  return date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null
}

function decimal(text: string | undefined): number {
  return Number.parseFloat((text ?? '').replace(',', '.'))
}
