/** A view as a pure fold: its documents after these events, one second apart unless they say otherwise. */
import type { RecordedEvent } from '../../src/events/recorded.ts'
import { toPosition } from '../../src/events/position.ts'
import { operationsOf, type View } from '../../projections/views/view.ts'
import { iso, NOON, type Happened } from '../given.ts'

export function fold<Document>(view: View<Document>, ...events: readonly Happened[]): ReadonlyMap<string, Document> {
  const documents = new Map<string, Document>()
  for (const [n, event] of events.entries()) foldInto(documents, view, recorded(event, n))
  return documents
}

export function foldInto<Document>(documents: Map<string, Document>, view: View<Document>, event: RecordedEvent): void {
  for (const { id, fold } of operationsOf(view, event)) {
    const result = fold(documents.get(id))
    if (result === null) documents.delete(id)
    else if (result !== undefined) documents.set(id, result)
  }
}

/** The event as the log would give it back, as the nth of all. */
function recorded({ atMs, ...event }: Happened, n: number): RecordedEvent {
  const at = iso(atMs ?? NOON + n * 1000)
  const metadata = { v: '1', at, actor: 'system', prev: '', hash: '' }
  return { ...event, id: `event-${n}`, stream: 'any-stream', revision: n, position: toPosition(n + 1), at, metadata }
}
