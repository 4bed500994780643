/**
 * Marks of the person on a movie. The card changes at once, the request goes at once, and a note offers to undo it for eight seconds.
 * A write that is refused turns the card back and says why.
 */
import { answerOf, api } from '../api/client.ts'
import type { Answer } from '../api/problems.ts'
import { leaveContinueWatching, ownMarks, refreshMarked, showMarks } from './shown-marks.ts'
import type { Marks } from './patches.ts'
import { queryClient } from './query-client.ts'

/** What a mark needs to know of the movie, and what undoing brings back. */
export interface Marked {
  readonly id: string
  readonly title: string
  readonly watched: boolean
  readonly watchedAt: string | null
  readonly position: number
  readonly watchlist: boolean
}

export interface Change {
  /** Whether the server took it; its problem if not. */
  readonly done: Promise<Answer<unknown>>
  undo(): void
}

function change(movie: Marked, marks: Marks, send: () => Promise<Answer<unknown>>): Promise<Answer<unknown>> {
  showMarks(movie.id, marks)
  return ownMarks.write(movie.id, send).then((answer) => {
    if (!answer.ok) showMarks(movie.id, before(movie))
    return answer
  })
}

export const before = ({ watched, watchedAt, position, watchlist }: Marked): Marks => ({ watched, watchedAt, position, watchlist })
const pathOf = ({ id }: Marked) => ({ params: { path: { id } } })

/** How a movie is that is marked now. */
export const marksWhen = (watched: boolean): Marks =>
  watched ? { watched, watchedAt: new Date().toISOString(), position: 0 } : { watched, watchedAt: null }

export function setWatched(movie: Marked, watched: boolean): Change {
  if (watched) leaveContinueWatching(movie.id)
  const done = change(movie, marksWhen(watched), () =>
    answerOf<unknown>(
      watched ? api.PUT('/v1/movies/{id}/watched', { ...pathOf(movie), body: {} }) : api.DELETE('/v1/movies/{id}/watched', pathOf(movie)),
    ),
  )
  return { done, undo: () => undo(movie, done) }
}

/** Shown at once, also while the mark itself is on its way. A mark that was refused needs no undoing. */
function undo(movie: Marked, done: Promise<Answer<unknown>>): void {
  showMarks(movie.id, before(movie))
  void ownMarks.write(movie.id, () => done.then((answer) => (answer.ok ? bringBack(movie) : undefined)))
}

/** As `POST /v1/movies/marks` takes it. */
export interface MarkItem {
  readonly movieId: string
  readonly watched: boolean
  readonly watchedAt?: string | null
  readonly position?: number | null
}

/** Back to how the movie was, the position included. */
export const itemToBringBack = ({ id, watched, watchedAt, position }: Marked): MarkItem => ({
  movieId: id,
  watched,
  watchedAt,
  position: position || null,
})

async function bringBack(movie: Marked): Promise<void> {
  await change(movie, before(movie), () => answerOf<unknown>(api.POST('/v1/movies/marks', { body: { items: [itemToBringBack(movie)] } })))
  await queryClient.invalidateQueries({ queryKey: ['home'] })
}

export function setWatchlisted(movie: Marked, watchlist: boolean): Change {
  const set = (wanted: boolean) =>
    change(movie, { watchlist: wanted }, () =>
      answerOf<unknown>(
        wanted ? api.PUT('/v1/movies/{id}/watchlist', pathOf(movie)) : api.DELETE('/v1/movies/{id}/watchlist', pathOf(movie)),
      ),
    )
  const done = set(watchlist).then(refreshLists)
  return {
    done,
    undo() {
      showMarks(movie.id, { watchlist: !watchlist })
      void ownMarks.write(movie.id, () => done.then((answer) => (answer.ok ? set(!watchlist).then(refreshLists) : undefined)))
    },
  }
}

/** Takes the movie off the row to continue watching; where it was left stays known. */
export function dismiss(movie: Marked): Change {
  leaveContinueWatching(movie.id)
  const done = answerOf<unknown>(api.DELETE('/v1/playback/continue-watching/{movieId}', { params: { path: { movieId: movie.id } } }))
  return { done, undo: () => undo(movie, done) }
}

async function refreshLists(answer: Answer<unknown>): Promise<Answer<unknown>> {
  await Promise.all([refreshMarked(), queryClient.invalidateQueries({ queryKey: ['home'] })])
  return answer
}
