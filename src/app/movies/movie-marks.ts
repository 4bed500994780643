/** Sets a user's marks on a movie: watched, resume point, watchlist. */
import type { MovieId } from '../../vocabulary/id.ts'
import { watchedStream } from '../../events/streams.ts'
import { fileToResume } from '../../../projections/views/movie-query-fields.ts'
import type { ResumePointDocument } from '../../../projections/views/resume-points.ts'
import { userMovieId } from '../../../projections/views/user-movies.ts'
import type { Decision } from '../../domain/decider.ts'
import { clampPosition } from '../../domain/playback/playback.ts'
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import {
  addToWatchlist,
  clearResumePoint,
  markUnwatched,
  markWatched,
  removeFromWatchlist,
  setResumePoint,
  watched,
  type WatchedState,
} from '../../domain/movies/user-movie.ts'
import type { Caller, RequestOrigin } from '../access/caller.ts'
import { byUser } from '../commands/command-handler.ts'
import { markMany } from './bulk-marks.ts'
import type { MovieMarks, MovieMarksDependencies } from './mark-types.ts'
import { visibleCard, visibleMovie, visibleMovieId } from './movies.ts'
import type { ListPage, PageRequest } from '../read-models/page.ts'
import { findPage } from '../read-models/read-models.ts'
import { NO_SUCH_MOVIE } from '../../domain/movies/refusals.ts'

interface Marking {
  readonly caller: Caller
  readonly origin: RequestOrigin
  readonly command: string
}

export function createMovieMarks(deps: MovieMarksDependencies): MovieMarks {
  const { clock } = deps

  const marks: MovieMarks = {
    async markWatched(caller, id, watchedAt, origin) {
      const found = await visibleCard(deps, caller, id)
      if (!found) return NO_SUCH_MOVIE
      const { libraryId, card } = found
      const movieId = card.id
      const now = new Date(clock.now()).toISOString()
      const resumable = (await ownOf(deps, caller, movieId))?.resume != null
      const decide = markWatched(markOf(caller, movieId), watchedAt ?? now, {
        now,
        resumable,
        movie: { libraryId, title: card.title, year: card.year },
      })
      return watchedMark(await mark(deps, movieId, { caller, origin, command: 'markWatched' }, decide))
    },

    async markUnwatched(caller, id, origin) {
      const movieId = await visibleMovieId(deps, caller, id)
      if (!movieId) return NO_SUCH_MOVIE
      return watchedMark(await mark(deps, movieId, { caller, origin, command: 'markUnwatched' }, markUnwatched(markOf(caller, movieId))))
    },

    async setResumePoint(caller, id, asked, origin) {
      const movie = await visibleMovie(deps, caller, id)
      if (!movie) return NO_SUCH_MOVIE
      const before = (await ownOf(deps, caller, movie.id))?.resume
      const file = fileToResume(movie.files, before?.fileId)
      if (!file) return NO_SUCH_MOVIE
      const durationMs = file.durationMs ?? 0
      const positionMs = clampPosition(asked, durationMs, 'seek', 'position')
      if (typeof positionMs !== 'number') return positionMs
      const decide = setResumePoint(markOf(caller, movie.id), { fileId: file.id, positionMs, durationMs })
      const state = await mark(deps, movie.id, { caller, origin, command: 'setResumePoint' }, decide)
      if (isRefusal(state)) return state
      return { positionMs, updatedAt: state.resumeSetAt ?? new Date(clock.now()).toISOString() }
    },

    async clearResumePoint(caller, id, origin) {
      const movieId = await visibleMovieId(deps, caller, id)
      if (!movieId) return NO_SUCH_MOVIE
      if (!(await ownOf(deps, caller, movieId))?.resume) return undefined
      const state = await mark(deps, movieId, { caller, origin, command: 'clearResumePoint' }, clearResumePoint(markOf(caller, movieId)))
      return isRefusal(state) ? state : undefined
    },
    markMany: (caller, wanted, origin) => markMany(deps, marks, { caller, wanted, origin }),
    resumeHistory: (caller, id, page) => resumeHistory(deps, caller, id, page),

    async setWatchlisted(caller, id, listed, origin) {
      const movieId = await visibleMovieId(deps, caller, id)
      if (!movieId) return NO_SUCH_MOVIE
      const decide = (listed ? addToWatchlist : removeFromWatchlist)(markOf(caller, movieId))
      const command = listed ? 'addToWatchlist' : 'removeFromWatchlist'
      const state = await mark(deps, movieId, { caller, origin, command }, decide)
      return isRefusal(state) ? state : { addedAt: state.watchlistAt }
    },
  }
  return marks
}

const markOf = (caller: Caller, movieId: MovieId) => ({ userId: caller.userId, movieId })

/** Decides and stores; returns the state that the caller's next read shows. */
async function mark(
  { commandHandler, readYourWrites }: MovieMarksDependencies,
  movieId: MovieId,
  { caller, origin, command }: Marking,
  decide: (state: WatchedState) => Decision,
) {
  const target = { stream: watchedStream(caller.userId, movieId), decider: watched }
  const done = await commandHandler.execute(target, decide, byUser(caller.userId, command, origin))
  if (isRefusal(done)) return done
  await readYourWrites.waitFor(done.position)
  return done.state
}

const watchedMark = (state: WatchedState | Refusal) =>
  isRefusal(state) ? state : { watched: state.watchedAt !== null, watchedAt: state.watchedAt, playCount: state.playCount }

const ownOf = ({ readModels }: MovieMarksDependencies, caller: Caller, movieId: MovieId) =>
  readModels.userMovies.get(userMovieId(caller.userId, movieId))

async function resumeHistory(
  deps: MovieMarksDependencies,
  caller: Caller,
  id: string,
  page: PageRequest,
): Promise<ListPage<ResumePointDocument> | Refusal> {
  const movieId = await visibleMovieId(deps, caller, id)
  if (!movieId) return NO_SUCH_MOVIE
  const where = [{ field: 'key', op: 'eq', value: userMovieId(caller.userId, movieId) }] as const
  return findPage(deps.readModels.resumePoints, { where, sort: { field: 'at', direction: 'desc' } }, page)
}
