/**
 * Matches a movie online: which question to ask a provider, which of its candidates is the film, and how its metadata is merged with that
 * of the files. An uncertain match is not accepted: the film stays unmatched.
 */
import type { DomainEvent, EventData } from '../../events/catalogue.ts'
import type { LibraryId, MovieId } from '../../vocabulary/id.ts'
import type { MovieFacts, OnlineQuestion } from '../../events/movie-events.ts'
import { foldText } from '../../vocabulary/text.ts'
import type { Decision } from '../decider.ts'

type OnlineMatch = EventData['MovieMatchedOnline']

/** The members that are compared later; people and texts, which are long, are not kept. */
export interface KnownOnline extends Pick<OnlineMatch, 'asked' | 'language'> {
  readonly facts: Pick<MovieFacts, 'title' | 'originalTitle' | 'year' | 'externalIds'>
}

/** The state of a movie that determines its match. */
export interface Matchable {
  readonly movie: { readonly movieId: MovieId; readonly libraryId: LibraryId } | null
  readonly identity: EventData['MovieIdentified'] | null
  readonly pin: EventData['MovieMatchPinned'] | null
  readonly online: KnownOnline | null
}

export interface Candidate {
  readonly tmdb: string
  readonly title: string
  readonly originalTitle: string | null
  readonly year: number | null
}

export interface ChosenCandidate {
  readonly tmdb: string
  readonly confidence: number
}

const NOTHING_ASKED: OnlineQuestion = { tmdb: null, imdb: null, title: null, originalTitle: null, year: null }
/** Confidence for the same title in the same year. */
const SAME = 0.9
/** Confidence for the same original title one year apart: festivals and cinemas differ. */
const YEAR_BESIDE = 0.8

/** The most reliable question: the pinned match, an explicit id, or title and year. Undefined if too little is known. */
export function questionOf({ pin, identity }: Pick<Matchable, 'pin' | 'identity'>): OnlineQuestion | undefined {
  const ids = pin ?? identity?.facts.externalIds
  if (ids?.tmdb) return { ...NOTHING_ASKED, tmdb: ids.tmdb }
  if (ids?.imdb) return { ...NOTHING_ASKED, imdb: ids.imdb }
  const { title, year } = pin ?? identity?.facts ?? NOTHING_ASKED
  if (!title || year === null) return undefined
  return { ...NOTHING_ASKED, title, originalTitle: pin ? null : (identity?.facts.originalTitle ?? null), year }
}

/** The provider's best candidate with the title and the year, else the only one with that original title a year earlier or later. */
export function chooseCandidate(
  { title, originalTitle, year }: OnlineQuestion,
  candidates: readonly Candidate[],
): ChosenCandidate | undefined {
  if (title === null || year === null) return undefined
  const titles = new Set([title, originalTitle].flatMap((one) => (one ? wordsOf(one) : [])))
  const has = (one: string | null): boolean => one !== null && titles.has(wordsOf(one))
  const same = candidates.find((one) => one.year === year && (has(one.title) || has(one.originalTitle)))
  if (same) return { tmdb: same.tmdb, confidence: SAME }
  const beside = candidates.filter((one) => one.year !== null && Math.abs(one.year - year) === 1 && has(one.originalTitle))
  const [only] = beside
  return only && beside.length === 1 ? { tmdb: only.tmdb, confidence: YEAR_BESIDE } : undefined
}

/** File names lack characters that file systems reject, such as a colon. A title that consists only of symbols is compared unchanged. */
const wordsOf = (title: string): string =>
  foldText(title)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim() || title.trim()

export function knownOf({ asked, language, facts }: OnlineMatch): KnownOnline {
  const { title, originalTitle, year, externalIds } = facts
  return { asked, language, facts: { title, originalTitle, year, externalIds } }
}

/** Whether the known metadata answers this question. */
export function answers({ asked, facts }: Pick<KnownOnline, 'asked' | 'facts'>, question: OnlineQuestion): boolean {
  if (question.tmdb !== null) return question.tmdb === asked.tmdb || question.tmdb === facts.externalIds.tmdb
  if (question.imdb !== null) return question.imdb === asked.imdb || question.imdb === facts.externalIds.imdb
  const has = (title: string | null, year: number | null): boolean =>
    title !== null && foldText(title) === foldText(question.title ?? '') && year === question.year
  return has(asked.title, asked.year) || has(facts.title, facts.year) || has(facts.originalTitle, facts.year)
}

/** The question for the provider; undefined if its answer is known. */
export function lacksOnline(movie: Matchable, language: string): OnlineQuestion | undefined {
  const question = questionOf(movie)
  const isKnown = question && movie.online?.language === language && answers(movie.online, question)
  return isKnown ? undefined : question
}

export type OnlineAnswer = Omit<OnlineMatch, 'movieId' | 'libraryId' | 'provider'>

/** Does nothing if the answer is known, or if the movie was identified as another film since the question. */
export const matchOnline =
  (answer: OnlineAnswer) =>
  (state: Matchable): Decision => {
    const question = lacksOnline(state, answer.language)
    if (!state.movie || !question || !answers(answer, question)) return []
    const { movieId, libraryId } = state.movie
    return [{ type: 'MovieMatchedOnline', data: { movieId, libraryId, provider: 'tmdb', ...answer } }]
  }

/** Appends the end of the online match, if the events identify the movie as another film than the provider was asked for. */
export function withoutOutdated(state: Matchable, events: readonly DomainEvent[]): readonly DomainEvent[] {
  if (!state.movie || !state.online) return events
  const question = questionOf(events.reduce(after, state))
  if (question && answers(state.online, question)) return events
  return [...events, { type: 'MovieUnmatchedOnline', data: { movieId: state.movie.movieId } }]
}

function after(state: Matchable, event: DomainEvent): Matchable {
  if (event.type === 'MovieIdentified') return { ...state, identity: event.data }
  return event.type === 'MovieMatchPinned' ? { ...state, pin: event.data } : state
}
