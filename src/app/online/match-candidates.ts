/** Finds films at the provider of online metadata that a movie may be, for administrators (checked by the route). */
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import { foundOf } from '../../../projections/views/movie-facts.ts'
import { NO_SUCH_MOVIE } from '../../domain/movies/refusals.ts'
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { OnlineCandidate, OnlineMetadata } from '../../ports/online-metadata.ts'
import type { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { askProvider, ONLINE_OFF } from './provider-requests.ts'

export interface CandidateSearch {
  /** Default: the movie's title, from its files or the last pin. */
  readonly title?: string | undefined
  /** Candidates of this year only. Default: those of the movie's year come first. */
  readonly year?: number | undefined
}

export interface MatchCandidate extends OnlineCandidate {
  /** Whether the movie is this film now. */
  readonly isCurrent: boolean
}

export interface CandidateList {
  readonly title: string
  readonly year: number | null
  /** The provider's best first. */
  readonly candidates: readonly MatchCandidate[]
}

export interface MatchCandidates {
  /** @throws the signal's reason once it is aborted */
  find(caller: Caller, id: string, by: { readonly search: CandidateSearch; readonly signal: AbortSignal }): Promise<CandidateList | Refusal>
}

export interface MatchCandidatesDependencies {
  readonly access: Access
  readonly clock: Pick<Clock, 'after'>
  readonly readModels: ReadModels
  /** Undefined: there is no provider. */
  readonly online: Pick<OnlineMetadata, 'search'> | undefined
}

export const CANDIDATES_MAX = 20
/** The provider may have got the film since the movie was not found. */
const MAX_AGE_MS = 600_000

export function createMatchCandidates({ access, clock, online, readModels }: MatchCandidatesDependencies): MatchCandidates {
  return {
    async find(caller, id, { search, signal }) {
      const movie = await readModels.movies.get(id)
      const language = movie && access.library(caller, movie.libraryId)?.language
      if (!movie || language === undefined) return NO_SUCH_MOVIE
      if (!online) return ONLINE_OFF
      const known = nameOf(movie)
      const title = search.title ?? known.title
      const year = search.year ?? known.year
      const ask = (of: number | null, within: AbortSignal) => online.search({ title, year: of, maxAgeMs: MAX_AGE_MS }, language, within)
      const found = await askProvider(
        clock,
        async (within) => {
          const first = year === null ? [] : await ask(year, within)
          return search.year === undefined ? [...first, ...(await ask(null, within))] : first
        },
        signal,
      )
      if (isRefusal(found)) return found
      const { tmdb } = movie.details.externalIds
      const candidates = uniqueOf(found).map((one) => ({ ...one, isCurrent: one.tmdb === tmdb }))
      return { title, year, candidates: candidates.slice(0, CANDIDATES_MAX) }
    },
  }
}

/** The name of a wrong match would find the wrong film again. */
function nameOf(movie: MovieDocument): { readonly title: string; readonly year: number | null } {
  const { pin, details } = movie
  if (pin?.title) return { title: pin.title, year: pin.year }
  const found = foundOf(movie)
  return found.details.title === '' ? details : found.details
}

/** The first of each film. */
function uniqueOf(candidates: readonly OnlineCandidate[]): readonly OnlineCandidate[] {
  const movies = new Map<string, OnlineCandidate>()
  for (const one of candidates) if (!movies.has(one.tmdb)) movies.set(one.tmdb, one)
  return [...movies.values()]
}
