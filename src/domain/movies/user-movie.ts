/** The marks of one user on one movie. */
import type { EventData } from '../../events/catalogue.ts'
import type { MovieId, SessionId, UserId } from '../../vocabulary/id.ts'
import type { Decider, Decision } from '../decider.ts'
import { inTheFuture } from '../refusal.ts'
import { withImported, withoutImport, withoutMarks, type ImportableState } from './imported-watches.ts'

export interface WatchedState extends ImportableState {
  /** Sessions that have completed it, newest last: each counts once, even if its last heartbeats are repeated years later. */
  readonly completedBy: readonly SessionId[]
  readonly watchlistAt: string | null
  /** When a resume point was last set by hand. */
  readonly resumeSetAt: string | null
}

const REMEMBERED_SESSIONS = 5000

export const watched: Decider<WatchedState> = {
  initial: { watchedAt: null, markedAt: null, playCount: 0, completedBy: [], watchlistAt: null, resumeSetAt: null, imports: [] },
  evolve: (state, event, at) => {
    switch (event.type) {
      case 'MovieMarkedWatched':
        return markedSince(state, event.data.watchedAt)
      case 'MovieMarkedUnwatched':
        return { ...state, watchedAt: null, markedAt: null, imports: withoutMarks(state.imports) }
      case 'MovieCompleted':
        return {
          ...markedSince(state, event.data.completedAt),
          playCount: state.playCount + 1,
          completedBy: [...state.completedBy, event.data.sessionId].slice(-REMEMBERED_SESSIONS),
        }
      case 'WatchImported':
        return withImported(state, event.data)
      case 'WatchImportUndone':
        return withoutImport(state, event.data)
      case 'ResumePointSet':
        return { ...state, resumeSetAt: at }
      case 'MovieWatchlisted':
        return { ...state, watchlistAt: state.watchlistAt ?? at }
      case 'MovieUnwatchlisted':
        return { ...state, watchlistAt: null }
      default:
        return state
    }
  },
}

/** An existing mark keeps its time. */
function markedSince(state: WatchedState, at: string): WatchedState {
  const watchedAt = state.watchedAt ?? at
  return { ...state, watchedAt, markedAt: state.markedAt ?? watchedAt }
}

interface Mark {
  readonly userId: UserId
  readonly movieId: MovieId
}

/**
 * `movie`: its current name. `resumable`: whether there is a resume point to clear even if the movie is already watched. If only an import
 * has marked the movie, it gets a mark that stays when the import is undone.
 */
export const markWatched =
  (mark: Mark, watchedAt: string, { now, resumable, movie }: MarkOptions) =>
  (state: WatchedState): Decision => {
    if (watchedAt > now) return inTheFuture('watchedAt')
    if (state.watchedAt === null) return [{ type: 'MovieMarkedWatched', data: { ...mark, ...movie, watchedAt } }]
    return resumable || state.markedAt === null
      ? [{ type: 'MovieMarkedWatched', data: { ...mark, watchedAt: state.watchedAt, again: true } }]
      : []
  }

interface MarkOptions {
  readonly now: string
  readonly resumable: boolean
  readonly movie: Pick<EventData['MovieMarkedWatched'], 'libraryId' | 'title' | 'year'>
}

export const markUnwatched =
  (mark: Mark) =>
  (state: WatchedState): Decision =>
    state.watchedAt === null ? [] : [{ type: 'MovieMarkedUnwatched', data: mark }]

/** Counts once per session. */
export const complete =
  (mark: Mark, sessionId: SessionId, completedAt: string) =>
  (state: WatchedState): Decision =>
    state.completedBy.includes(sessionId) ? [] : [{ type: 'MovieCompleted', data: { ...mark, sessionId, completedAt } }]

/** A resume point set by hand; `durationMs` is that of the file. */
export const setResumePoint = (mark: Mark, point: Omit<EventData['ResumePointSet'], keyof Mark>) => (): Decision => [
  { type: 'ResumePointSet', data: { ...mark, ...point } },
]

/** Deletes the resume point; dismissing one only removes it from the list. */
export const clearResumePoint = (mark: Mark) => (): Decision => [{ type: 'ResumePointDismissed', data: { ...mark, cleared: true } }]

export const addToWatchlist =
  (mark: Mark) =>
  (state: WatchedState): Decision =>
    state.watchlistAt === null ? [{ type: 'MovieWatchlisted', data: mark }] : []

export const removeFromWatchlist =
  (mark: Mark) =>
  (state: WatchedState): Decision =>
    state.watchlistAt === null ? [] : [{ type: 'MovieUnwatchlisted', data: mark }]

export const dismiss = (mark: Mark) => (): Decision => [{ type: 'ResumePointDismissed', data: mark }]
