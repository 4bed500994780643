/** Fills a file with the events of another log, in their order: event n gets position n. */
import type { EncodedEvent } from '../../events/envelope.ts'
import { createBatchWriter } from './event-log-batch.ts'
import { openForWriting } from './event-log-file.ts'

export interface LogFiller {
  /** Durable when it returns. @throws Error an event does not follow those before it */
  add(events: readonly (EncodedEvent & { readonly stream: string; readonly revision: number })[]): void
  close(): void
}

/** Goes on after the events of a file that is there. @throws Error the file cannot be made */
export function createSqliteLogFiller(file: string): LogFiller {
  const db = openForWriting({ file })
  const write = createBatchWriter(db, () => undefined)
  let count = Number(db.prepare('select max(position) as last from events').get()?.['last'] ?? 0)
  return {
    add(events) {
      const answers = write(
        events.map(({ stream, revision, id, type, data, metadata }, order) => ({
          order,
          stream,
          expected: revision === 0 ? 'absent' : revision - 1,
          events: [{ id, type, data: JSON.stringify(data), metadata: JSON.stringify(metadata) }],
        })),
      )
      for (const answer of answers) {
        const { stream, revision } = events[answer.order] ?? {}
        const fits = answer.outcome === 'stored' && answer.position === ++count
        if (!fits) throw new Error(`Event ${revision} of stream ${stream} does not follow the events before it (${answer.outcome})`)
      }
    },
    close: () => db.close(),
  }
}
