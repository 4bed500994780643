/** Marks of many movies at once, and their undoing. */
import { answerOf, api } from '../api/client.ts'
import type { Answer } from '../api/problems.ts'
import { before, itemToBringBack, marksWhen, type Change, type Marked, type MarkItem } from './marks.ts'
import { queryClient } from './query-client.ts'
import { leaveContinueWatching, ownMarks, showMarks } from './shown-marks.ts'

/** At most as many as a request takes. */
const SENT_AT_ONCE = 100

/** Of movies that are marked otherwise. */
export function setAllWatched(movies: readonly Marked[], watched: boolean): Change {
  const marks = marksWhen(watched)
  for (const { id } of movies) {
    showMarks(id, marks)
    if (watched) leaveContinueWatching(id)
  }
  const done = writing(movies, () => send(movies.map(({ id }) => ({ movieId: id, watched }))))
  void done.then((answer) => answer.ok || showBefore(movies))
  return { done, undo: () => undo(movies, done) }
}

/** Shown at once, also while the marks are on their way. */
function undo(movies: readonly Marked[], done: Promise<Answer<unknown>>): void {
  showBefore(movies)
  void writing(movies, async () => {
    if ((await done).ok) await send(movies.map(itemToBringBack))
  }).then(() => queryClient.invalidateQueries({ queryKey: ['home'] }))
}

function showBefore(movies: readonly Marked[]): void {
  for (const movie of movies) showMarks(movie.id, before(movie))
}

/** Events of these movies are held back until it is done. */
const writing = <T>(movies: readonly Marked[], work: () => Promise<T>): Promise<T> =>
  movies.reduce(
    (inner, { id }) =>
      () =>
        ownMarks.write(id, inner),
    work,
  )()

/** Until a request is refused. */
async function send(items: readonly MarkItem[]): Promise<Answer<unknown>> {
  let answer: Answer<unknown> = { ok: true, value: undefined, etag: null }
  for (let at = 0; at < items.length && answer.ok; at += SENT_AT_ONCE)
    answer = await answerOf<unknown>(api.POST('/v1/movies/marks', { body: { items: items.slice(at, at + SENT_AT_ONCE) } }))
  return answer
}
