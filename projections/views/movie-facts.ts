/**
 * Merges a film's facts from its files and an online metadata provider. Member by member, an `.nfo` has priority over the provider, and
 * the provider over the file name. If the film was pinned to a different film than its files name, only the provider's facts are used.
 */
import type { MovieFacts } from '../../src/events/movie-events.ts'
import { foldText } from '../../src/vocabulary/text.ts'
import {
  NOTHING_KNOWN,
  type AskedFor,
  type FoundAs,
  type FoundFacts,
  type MovieDetails,
  type MovieDocument,
  type OnlineFacts,
} from './movie-document.ts'

/**
 * Whether the provider describes a different film than the files name.
 * Ids decide if the files contain any; otherwise the title and year of the provider query. If the film was pinned by an id, the years are
 * compared (release years differ between festivals and cinemas), otherwise the titles.
 */
export function isAnother(found: FoundAs, { asked, as }: AskedFor): boolean {
  const { tmdb, imdb } = found.externalIds
  if (tmdb !== null) return tmdb !== asked.tmdb && tmdb !== as.externalIds.tmdb
  if (imdb !== null && (as.externalIds.imdb ?? asked.imdb) !== null) return imdb !== asked.imdb && imdb !== as.externalIds.imdb
  const isCalled = (title: string | null): boolean => title !== null && foldText(title) === foldText(found.title)
  if (asked.title !== null) return !isCalled(asked.title) || asked.year !== found.year
  if (found.year !== null && as.year !== null) return Math.abs(found.year - as.year) > 1
  return !isCalled(as.title) && !isCalled(as.originalTitle)
}

/** The facts of the files, also if they are stored as the movie's own. */
export const foundOf = ({ found, details }: Pick<MovieDocument, 'found' | 'details'>): FoundFacts => ({
  ...found,
  details: found.details ?? details,
})

export function mergedDetails(found: FoundFacts, online: OnlineFacts | null): MovieDetails {
  if (!online) return found.details
  const own = isAnother(found.details, { asked: online.asked, as: online.details }) ? NOTHING_KNOWN : found.details
  const { details: other } = online
  const isGuess = found.source === 'name' || own.title === ''
  return {
    ...filled(own, other),
    title: isGuess ? other.title : own.title,
    year: isGuess ? (other.year ?? own.year) : (own.year ?? other.year),
  }
}

function filled(own: MovieDetails, other: MovieDetails): Omit<MovieDetails, 'title' | 'year'> {
  return {
    originalTitle: own.originalTitle ?? other.originalTitle,
    sortTitle: own.sortTitle ?? other.sortTitle,
    releaseDate: own.releaseDate ?? other.releaseDate,
    overview: own.overview ?? other.overview,
    tagline: own.tagline ?? other.tagline,
    contentRating: own.contentRating ?? other.contentRating,
    rating: own.rating ?? other.rating,
    genres: preferred(own.genres, other.genres),
    tags: preferred(own.tags, other.tags),
    countries: preferred(own.countries, other.countries),
    studios: preferred(own.studios, other.studios),
    languages: preferred(own.languages, other.languages),
    collection: own.collection ?? other.collection,
    externalIds: mergedIds(own.externalIds, other.externalIds),
  }
}

export function mergedIds(own: MovieFacts['externalIds'], other: MovieFacts['externalIds']): MovieFacts['externalIds'] {
  return { tmdb: own.tmdb ?? other.tmdb, imdb: own.imdb ?? other.imdb }
}

interface People<Cast, Crew> {
  readonly cast: readonly Cast[]
  readonly crew: readonly Crew[]
}

/** Takes cast and crew each entirely from one source: names are spelled too differently to be merged. */
export function mergedPeople<Cast, Crew>(
  found: { readonly as: FoundAs; readonly people: People<Cast, Crew> },
  online: (AskedFor & { readonly people: People<Cast, Crew> }) | null,
): People<Cast, Crew> {
  if (!online) return found.people
  if (isAnother(found.as, online)) return online.people
  return { cast: preferred(found.people.cast, online.people.cast), crew: preferred(found.people.crew, online.people.crew) }
}

const preferred = <Item>(own: readonly Item[], other: readonly Item[]): readonly Item[] => (own.length > 0 ? own : other)
