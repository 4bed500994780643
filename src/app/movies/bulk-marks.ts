/** Sets a user's marks on many movies in one request. All of it is checked before the first mark is set. */
import { clampPosition } from '../../domain/playback/playback.ts'
import { NO_SUCH_MOVIE } from '../../domain/movies/refusals.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import type { UserMovieDocument } from '../../../projections/views/user-movies.ts'
import { primaryOf } from '../../../projections/views/movie-query-fields.ts'
import type { MovieId } from '../../vocabulary/id.ts'
import type { Caller, RequestOrigin } from '../access/caller.ts'
import type { MovieMarks, MovieMarksDependencies } from './movie-marks.ts'
import { visibleMovie } from './movies.ts'

/** How a movie is marked: what is wanted, and what was there before. */
export interface MarkState {
  readonly watched: boolean
  readonly watchedAt: string | null
  /** 0: no resume point. */
  readonly positionMs: number
}

export interface WantedMark {
  readonly movieId: string
  readonly watched: boolean
  /** Default: now, or as it was. */
  readonly watchedAt?: string | undefined
  /** 0 clears the resume point. Default: what the mark makes of it. */
  readonly positionMs?: number | undefined
}

export interface ChangedMark {
  readonly movieId: MovieId
  readonly before: MarkState
  readonly after: MarkState
}

type OwnMarks = Pick<MovieMarks, 'markWatched' | 'markUnwatched' | 'setResumePoint' | 'clearResumePoint'>

export async function markMany(
  deps: MovieMarksDependencies,
  marks: OwnMarks,
  { caller, wanted, origin }: { readonly caller: Caller; readonly wanted: readonly WantedMark[]; readonly origin: RequestOrigin },
): Promise<readonly ChangedMark[] | Refusal> {
  const ids: MovieId[] = []
  for (const [index, mark] of wanted.entries()) {
    const id = await checked(deps, caller, mark, index)
    if (isRefusal(id)) return id
    if (ids.includes(id)) return refuse('invalid', 'is in the list twice', { path: `items.${index}.movieId` })
    ids.push(id)
  }
  const before = await deps.readModels.ownOf(caller.userId, ids)
  for (const mark of wanted) {
    const refusal = await setOne(marks, caller, mark, origin)
    if (refusal) return refusal
  }
  const after = await deps.readModels.ownOf(caller.userId, ids)
  return ids.map((movieId) => ({ movieId, before: stateOf(before.get(movieId)), after: stateOf(after.get(movieId)) }))
}

async function checked(deps: MovieMarksDependencies, caller: Caller, mark: WantedMark, index: number): Promise<MovieId | Refusal> {
  const { movieId, watchedAt, positionMs = 0 } = mark
  const movie = await visibleMovie(deps, caller, movieId)
  if (!movie) return NO_SUCH_MOVIE
  if (watchedAt !== undefined && Date.parse(watchedAt) > deps.clock.now()) {
    return refuse('invalid', 'This time is in the future', { path: `items.${index}.watchedAt` })
  }
  if (positionMs === 0) return movie.id
  const position = clampPosition(positionMs, primaryOf(movie.files)?.durationMs ?? 0, 'seek', `items.${index}.position`)
  return typeof position === 'number' ? movie.id : position
}

async function setOne(
  marks: OwnMarks,
  caller: Caller,
  { movieId, watched, watchedAt, positionMs }: WantedMark,
  origin: RequestOrigin,
): Promise<Refusal | undefined> {
  const mark = await (watched ? marks.markWatched(caller, movieId, watchedAt, origin) : marks.markUnwatched(caller, movieId, origin))
  if (isRefusal(mark)) return mark
  if (positionMs === undefined) return undefined
  const resume = await (positionMs === 0
    ? marks.clearResumePoint(caller, movieId, origin)
    : marks.setResumePoint(caller, movieId, positionMs, origin))
  return isRefusal(resume) ? resume : undefined
}

const stateOf = (own: UserMovieDocument | undefined): MarkState => ({
  watched: own?.watched ?? false,
  watchedAt: own?.watchedAt ?? null,
  positionMs: own?.resume?.positionMs ?? 0,
})
