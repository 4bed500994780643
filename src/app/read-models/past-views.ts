/** Names the views that can be read as of an earlier time, and folds events into their documents in memory. */
import type { JsonObject } from '../../events/envelope.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import { movies } from '../../../projections/views/movies.ts'
import { userMovies } from '../../../projections/views/user-movies.ts'
import { SETTLED, viewings } from '../../../projections/views/viewings.ts'
import { operationsOf, type AnyView, type Operation } from '../../../projections/views/view.ts'

export const PAST_VIEWS = [movies, userMovies, viewings] as unknown as readonly AnyView[]

export interface DocumentsInMemory {
  get(id: string): JsonObject | undefined
  /** Undefined removes it. */
  set(id: string, body: JsonObject | undefined): void
}

/**
 * What an event does to the documents of a view. An event that does not fit does nothing, just as in the projector, which reports it. The
 * marker that informs caches of a changed settled viewing is left out: a fold of the past needs none.
 */
export function pastOperations(view: AnyView, event: RecordedEvent): readonly Operation<JsonObject>[] {
  try {
    return operationsOf(view, event).filter(({ id }) => id !== SETTLED)
  } catch {
    return []
  }
}

/** Applies what one event does to the documents of a view. */
export function foldInto(documents: DocumentsInMemory, operations: readonly Operation<JsonObject>[]): void {
  try {
    for (const { id, fold } of operations) {
      const result = fold(documents.get(id))
      if (result !== undefined) documents.set(id, result ?? undefined)
    }
  } catch {
    // See pastOperations.
  }
}
