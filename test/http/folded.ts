/** Documents as the views make them of events: the HTTP tests show what is really stored. */
import type { DomainEvent } from '../../src/events/catalogue.ts'
import { toPosition } from '../../src/events/position.ts'
import { operationsOf, type View } from '../../projections/views/view.ts'

export const NOW = '2026-01-02T12:00:00.000Z'

/** The document of that id after these events, all at `NOW`. */
export function folded<Document>(view: View<Document>, id: string, events: readonly DomainEvent[]): Document {
  let document: Document | undefined
  for (const [revision, event] of events.entries()) {
    const position = toPosition(revision + 1)
    const metadata = { v: '1', at: NOW, actor: 'system', hash: '', prev: '' }
    const recorded = { ...event, id: position, stream: 'test', revision, position, at: NOW, metadata }
    for (const operation of operationsOf(view, recorded)) {
      if (operation.id === id) document = operation.fold(document) ?? undefined
    }
  }
  if (document === undefined) throw new Error(`${view.name} has no ${id}`)
  return document
}
