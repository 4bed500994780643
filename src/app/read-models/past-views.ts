/** Names the views that can be read as of an earlier time, and folds one event into their documents in memory. */
import type { JsonObject } from '../../events/envelope.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import { movies } from '../../../projections/views/movies.ts'
import { userMovies } from '../../../projections/views/user-movies.ts'
import { SETTLED, viewings } from '../../../projections/views/viewings.ts'
import { operationsOf, type AnyView } from '../../../projections/views/view.ts'

export const PAST_VIEWS = [movies, userMovies, viewings] as unknown as readonly AnyView[]

export interface DocumentsInMemory {
  get(id: string): JsonObject | undefined
  /** Undefined removes it. */
  set(id: string, body: JsonObject | undefined): void
}

/** An event that does not fit changes nothing here, just as in the projector, which reports it. */
export function foldInto(documents: DocumentsInMemory, view: AnyView, event: RecordedEvent): void {
  try {
    for (const { id, fold } of operationsOf(view, event)) {
      // This marker informs caches that a settled viewing has changed; a fold of the past needs no such marker.
      if (id === SETTLED) continue
      const result = fold(documents.get(id))
      if (result !== undefined) documents.set(id, result ?? undefined)
    }
  } catch {
    // See the function's comment.
  }
}
