/** Finds a film online: queries the provider for one movie that lacks its metadata, and stores the answer with the movie. */
import type { LibraryId, MovieId } from '../../vocabulary/id.ts'
import type { OnlineQuestion } from '../../events/movie-events.ts'
import type { Position } from '../../events/position.ts'
import { movieStream } from '../../events/streams.ts'
import { movie, type MovieState } from '../../domain/movies/movie.ts'
import { chooseCandidate, lacksOnline, matchOnline, type ChosenCandidate, type OnlineAnswer } from '../../domain/online/online-match.ts'
import { isRefusal } from '../../domain/refusal.ts'
import { TimedOut, withTimeout } from '../../concurrency/timeout.ts'
import type { Clock } from '../../ports/clock.ts'
import { OnlineAway, OnlineRefused, type OnlineId, type OnlineMetadata } from '../../ports/online-metadata.ts'
import type { Access } from '../access/access.ts'
import type { CommandHandler } from '../commands/command-handler.ts'
import { imageSaltOf, type ImageKey } from '../images/image-key.ts'
import type { Report } from '../../ports/report.ts'

export interface OnlineMatcher {
  /**
   * Position of the stored answer; undefined if there is nothing new, because the film is known, ambiguous or not found.
   * @throws OnlineAway; OnlineRefused; the signal's reason
   */
  find(movieId: MovieId, signal: AbortSignal): Promise<Position | undefined>
  /** The same for a caller that waits: returns after a few seconds at most, and never throws. A later answer is still stored. */
  findSoon(this: void, movieId: MovieId): Promise<Position | undefined>
  /** Language of the texts; undefined if the library does not exist. */
  languageOf(libraryId: LibraryId): string | undefined
}

export interface OnlineMatcherDependencies {
  readonly access: Pick<Access, 'libraries'>
  readonly clock: Clock
  readonly commandHandler: CommandHandler
  readonly imageKey: ImageKey
  readonly online: Pick<OnlineMetadata, 'movie' | 'search'>
  readonly onError: Report
}

const SOON_MS = 5_000
/** Includes the wait for a turn at the provider, which the background task keeps busy. */
const GIVEN_UP_MS = 60_000
const SYSTEM = { actor: 'system', command: 'matchOnline' }

export function createOnlineMatcher({
  access,
  clock,
  commandHandler,
  imageKey,
  online,
  onError,
}: OnlineMatcherDependencies): OnlineMatcher {
  const languageOf: OnlineMatcher['languageOf'] = (libraryId) => access.libraries.get(libraryId)?.language

  async function find(movieId: MovieId, signal: AbortSignal): Promise<Position | undefined> {
    const target = { stream: movieStream(movieId), decider: movie }
    const state = await commandHandler.load(target)
    const language = state.movie ? languageOf(state.movie.libraryId) : undefined
    const question = language === undefined ? undefined : lacksOnline(state, language)
    if (!question || language === undefined) return undefined
    const answer = await ask(online, { question, language, signal })
    if (!answer || !state.movie) return undefined
    const decide = matchOnline({ ...answer, imageSalt: imageSaltOf(await imageKey(), state.movie.libraryId) })
    const done = await commandHandler.execute(target, (now) => (isSpoken(now, language) ? decide(now) : []), SYSTEM)
    return isRefusal(done) || done.events.length === 0 ? undefined : done.position
  }

  /** If the library's language has changed meanwhile, the answer is outdated. */
  const isSpoken = ({ movie: now }: MovieState, language: string): boolean => now !== null && languageOf(now.libraryId) === language

  /** Leaves every failure to the background task. */
  async function findPatiently(movieId: MovieId): Promise<Position | undefined> {
    const over = new AbortController()
    const disarm = clock.after(GIVEN_UP_MS, () => over.abort())
    try {
      return await find(movieId, over.signal)
    } catch (cause) {
      if (!(over.signal.aborted || cause instanceof OnlineAway || cause instanceof OnlineRefused)) onError(cause, 'warn')
      return undefined
    } finally {
      disarm()
    }
  }

  async function findSoon(movieId: MovieId): Promise<Position | undefined> {
    try {
      return await withTimeout(findPatiently(movieId), { clock, ms: SOON_MS, message: 'The provider does not answer soon' })
    } catch (cause) {
      if (!(cause instanceof TimedOut)) throw cause
      return undefined
    }
  }

  return { find, findSoon, languageOf }
}

interface Asking {
  readonly question: OnlineQuestion
  readonly language: string
  readonly signal: AbortSignal
}

async function ask(online: OnlineMatcherDependencies['online'], asking: Asking): Promise<OnlineAnswer | undefined> {
  const { question, language, signal } = asking
  const id = idOf(question)
  const chosen = id ? undefined : await search(online, asking)
  const movie = id || chosen ? await online.movie(id ?? { tmdb: chosen?.tmdb ?? '' }, language, signal) : undefined
  return movie && { asked: question, confidence: chosen?.confidence ?? 1, language, facts: movie.facts, artwork: movie.artwork }
}

const idOf = ({ tmdb, imdb }: OnlineQuestion): OnlineId | undefined => (tmdb !== null ? { tmdb } : imdb !== null ? { imdb } : undefined)

/**
 * Searches with the year first, since a common title has more films than an answer lists; then without it, for a film that is dated a year
 * apart.
 */
async function search(
  online: OnlineMatcherDependencies['online'],
  { question, language, signal }: Asking,
): Promise<ChosenCandidate | undefined> {
  const { title, year } = question
  if (title === null) return undefined
  const exact = chooseCandidate(question, await online.search({ title, year }, language, signal))
  return exact ?? chooseCandidate(question, await online.search({ title, year: null }, language, signal))
}
