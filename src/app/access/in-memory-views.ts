/**
 * Holds the live views in memory on every API node: the documents that requests are checked against (users, logins, libraries, sessions). They
 * are loaded from the read store and kept up to date from the log, with the same pure views that projectors use.
 */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { decodeKnown } from '../../events/codec.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import { later, START, type Position } from '../../events/position.ts'
import { collectionOf, operationsOf, type View } from '../../../projections/views/view.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { UnfoldableEvent } from '../../../projections/views/unfoldable-events.ts'
import type { ReadStore } from '../../ports/read-store.ts'

export interface InMemoryView<Document> {
  readonly documents: ReadonlyMap<string, Document>
}

/** A live view, seen from the feed. */
export interface Feedable {
  readonly name: string
  /**
   * Loads the documents on the first call; returns the position after which events are wanted. After an interruption only the log is read:
   * the store may be older than this view, and does not list removed documents.
   */
  load(store: ReadStore): Promise<Position>
  apply(event: RecordedEvent): void
}

const PAGE = 1000

/** `changed` is called with each document before and after a change (undefined: absent). */
export function createInMemoryView<Document>(
  view: View<Document>,
  changed: (before: Document | undefined, after: Document | undefined) => void = () => {},
): InMemoryView<Document> & Feedable {
  const documents = new Map<string, Document>()
  const folded = new Map<string, Position>()
  let reached: Position | undefined

  function set(id: string, document: Document | undefined, at: Position): void {
    const before = documents.get(id)
    if (document === undefined) {
      documents.delete(id)
      folded.delete(id)
    } else {
      documents.set(id, document)
      folded.set(id, at)
    }
    changed(before, document)
  }

  return {
    name: view.name,
    documents,
    async load(store) {
      if (reached !== undefined) return reached
      for (const id of documents.keys()) set(id, undefined, START)
      const collection = collectionOf(view)
      const checkpoint = await store.checkpoint(collection)
      let after: { value: null; id: string } | undefined
      do {
        const page = await store.find(collection, { limit: PAGE, ...omitUndefined({ after }) })
        for (const { id, at, body } of page.documents) set(id, body as Document, at)
        after = page.next ? { value: null, id: page.next.id } : undefined
      } while (after)
      reached = checkpoint
      return checkpoint
    },
    apply(event) {
      for (const { id, fold } of operationsOf(view, event)) {
        if ((folded.get(id) ?? START) >= event.position) continue
        const result = fold(documents.get(id))
        if (result !== undefined) set(id, result ?? undefined, event.position)
      }
      reached = later(reached ?? START, event.position)
    },
  }
}

/** Feeds views from the log until the signal; reports the position reached after each batch. */
export async function feedInMemoryViews(deps: {
  readonly log: EventLog
  readonly store: ReadStore
  readonly views: readonly Feedable[]
  readonly passed: (position: Position) => void
  readonly unfoldable: UnfoldableEvent
  readonly signal: AbortSignal
}): Promise<void> {
  const { log, store, views, passed, unfoldable, signal } = deps
  const checkpoints: Position[] = []
  for (const view of views) checkpoints.push(await view.load(store))
  const from = checkpoints.reduce((a, b) => (a < b ? a : b))
  passed(from)
  for await (const batch of log.follow(from, signal)) {
    // Cancelled: another feed has taken over.
    if (signal.aborted) return
    for (const stored of batch) {
      const event = decodeKnown(stored)
      if (event) for (const view of views) apply(view, event, unfoldable)
    }
    const last = batch.at(-1)
    if (last) passed(last.position)
  }
}

function apply(view: Feedable, event: RecordedEvent, unfoldable: UnfoldableEvent): void {
  try {
    view.apply(event)
  } catch (cause) {
    unfoldable(view, event, cause)
  }
}
