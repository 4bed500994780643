/** What one user's marks say about one movie. */
import type { MovieId, SessionId, UserId } from '../events/id.ts'
import type { Decider, Decision } from './decider.ts'
import { refuse } from './refusal.ts'

export interface WatchedState {
  readonly watchedAt: string | null
  readonly playCount: number
  /** Sessions that have completed it, newest last: each counts once, also when its last heartbeats come again years later. */
  readonly completedBy: readonly SessionId[]
}

const REMEMBERED_SESSIONS = 5000

export const watched: Decider<WatchedState> = {
  initial: { watchedAt: null, playCount: 0, completedBy: [] },
  evolve: (state, event) => {
    switch (event.type) {
      case 'MovieMarkedWatched':
        return { ...state, watchedAt: state.watchedAt ?? event.data.watchedAt }
      case 'MovieMarkedUnwatched':
        return { ...state, watchedAt: null }
      case 'MovieCompleted':
        return {
          watchedAt: state.watchedAt ?? event.data.completedAt,
          playCount: state.playCount + 1,
          completedBy: [...state.completedBy, event.data.sessionId].slice(-REMEMBERED_SESSIONS),
        }
      default:
        return state
    }
  },
}

interface Mark {
  readonly userId: UserId
  readonly movieId: MovieId
}

/** `resumable`: whether there is a resume point that the mark clears although the movie is watched already. */
export const markWatched =
  (mark: Mark, watchedAt: string, options: { readonly now: string; readonly resumable: boolean }) =>
  (state: WatchedState): Decision => {
    if (watchedAt > options.now) return refuse('invalid', 'This time lies in the future', { path: 'watchedAt' })
    if (state.watchedAt !== null && !options.resumable) return []
    return [{ type: 'MovieMarkedWatched', data: { ...mark, watchedAt: state.watchedAt ?? watchedAt } }]
  }

export const markUnwatched =
  (mark: Mark) =>
  (state: WatchedState): Decision =>
    state.watchedAt === null ? [] : [{ type: 'MovieMarkedUnwatched', data: mark }]

/** Once for each session. */
export const complete =
  (mark: Mark, sessionId: SessionId, completedAt: string) =>
  (state: WatchedState): Decision =>
    state.completedBy.includes(sessionId) ? [] : [{ type: 'MovieCompleted', data: { ...mark, sessionId, completedAt } }]

export const dismiss = (mark: Mark) => (): Decision => [{ type: 'ResumePointDismissed', data: mark }]
