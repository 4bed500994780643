/** Sets a user's marks on many movies in one request. All of it is checked before the first mark is set. */
import { clampPosition } from '../../domain/playback/playback.ts'
import { NO_SUCH_MOVIE } from '../../domain/movies/refusals.ts'
import { inTheFuture, isRefusal, type Refusal, refuse } from '../../domain/refusal.ts'
import type { UserMovieDocument } from '../../../projections/views/user-movies.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import { fileToResume } from '../../../projections/views/movie-query-fields.ts'
import { placeResume } from '../../../projections/views/resume-place.ts'
import type { Caller, RequestOrigin } from '../access/caller.ts'
import type { ChangedMark, MarkState, MovieMarks, MovieMarksDependencies, WantedMark } from './mark-types.ts'
import { visibleMovie } from './movies.ts'

type OwnMarks = Pick<MovieMarks, 'markWatched' | 'markUnwatched' | 'setResumePoint' | 'clearResumePoint'>

export async function markMany(
  deps: MovieMarksDependencies,
  marks: OwnMarks,
  { caller, wanted, origin }: { readonly caller: Caller; readonly wanted: readonly WantedMark[]; readonly origin: RequestOrigin },
): Promise<readonly ChangedMark[] | Refusal> {
  const movies: MovieDocument[] = []
  for (const [index, { movieId }] of wanted.entries()) {
    const movie = await visibleMovie(deps, caller, movieId)
    if (!movie) return NO_SUCH_MOVIE
    if (movies.some(({ id }) => id === movie.id)) return refuse('invalid', 'is in the list twice', { path: `items.${index}.movieId` })
    movies.push(movie)
  }
  const ids = movies.map(({ id }) => id)
  const before = await deps.readModels.ownOf(caller.userId, ids)
  for (const [index, movie] of movies.entries()) {
    const fault = faultOf(wanted[index], { movie, own: before.get(movie.id), now: deps.clock.now(), path: `items.${index}` })
    if (fault) return fault
  }
  for (const mark of wanted) {
    const refusal = await setOne(marks, caller, mark, origin)
    if (refusal) return refusal
  }
  const after = await deps.readModels.ownOf(caller.userId, ids)
  return movies.map((movie) => ({
    movieId: movie.id,
    before: stateOf(movie, before.get(movie.id)),
    after: stateOf(movie, after.get(movie.id)),
  }))
}

interface Checking {
  readonly movie: MovieDocument
  readonly own: UserMovieDocument | undefined
  readonly now: number
  /** Of the item in the request. */
  readonly path: string
}

/** What is wrong with its values, before anything is changed. */
function faultOf(
  { watched = false, watchedAt, positionMs = 0 }: Partial<WantedMark> = {},
  { movie, own, now, path }: Checking,
): Refusal | undefined {
  if (watchedAt !== undefined && Date.parse(watchedAt) > now) return inTheFuture(`${path}.watchedAt`)
  if (positionMs === 0) return undefined
  // The mark as watched clears the resume point before the position is set.
  const file = fileToResume(movie.files, watched ? undefined : own?.resume?.fileId)
  const position = clampPosition(positionMs, file?.durationMs ?? 0, 'seek', `${path}.position`)
  return isRefusal(position) ? position : undefined
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

const stateOf = ({ files }: MovieDocument, own: UserMovieDocument | undefined): MarkState => ({
  watched: own?.watched ?? false,
  watchedAt: own?.watchedAt ?? null,
  positionMs: (own && placeResume(files, own).resume?.positionMs) ?? 0,
})
