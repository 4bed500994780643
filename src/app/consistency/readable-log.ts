/**
 * Wraps the log for its followers. An unreadable event is reported once, with its position, and skipped. An event of a type or version that
 * this version of Marquee does not know is reported once for each; followers skip it (`decodeKnown`).
 *
 * Commands on such a stream are refused, since its state is unknown.
 */
import { isEventType } from '../../events/catalogue.ts'
import { whyUndecodable } from '../../events/codec.ts'
import type { StoredEvent } from '../../events/envelope.ts'
import { UnreadableEvent, type EventLog } from '../../ports/event-log.ts'

const REPORTED_MAX = 1_000

/** Other programs may write to the same server. */
const isOurs = ({ metadata }: StoredEvent): boolean => typeof metadata.hash === 'string' && typeof metadata.v === 'string'

export function createReadableLog(log: EventLog, print: (line: string) => void): EventLog {
  const reported = new Set<string>()

  function report({ message }: UnreadableEvent, key: string, advice: string): void {
    if (reported.has(key) || reported.size >= REPORTED_MAX) return
    reported.add(key)
    print(`${message}. What it changed is missing; \`npm run marquee -- verify\` lists all such events. ${advice}`)
  }

  function reportUnknown(stored: StoredEvent): void {
    const reason = whyUndecodable(stored)
    if (reason !== undefined && isOurs(stored))
      report(new UnreadableEvent(stored, reason), `${stored.type} ${stored.metadata.v}`, 'Install the version that wrote it.')
  }

  return {
    append: (stream, expected, events) => log.append(stream, expected, events),
    async *read(stream, from) {
      for await (const stored of log.read(stream, from)) {
        const reason = isEventType(stored.type) ? whyUndecodable(stored) : undefined
        if (reason !== undefined) throw new UnreadableEvent(stored, reason)
        yield stored
      }
    },
    head: () => log.head(),
    async *follow(after, signal) {
      let reached = after
      while (!signal.aborted) {
        try {
          for await (const batch of log.follow(reached, signal)) {
            reached = batch.at(-1)?.position ?? reached
            for (const stored of batch) reportUnknown(stored)
            yield batch
          }
          return
        } catch (cause) {
          if (!(cause instanceof UnreadableEvent) || cause.place.position <= reached) throw cause
          report(cause, cause.place.position, 'Restore the event log from a backup.')
          reached = cause.place.position
        }
      }
    },
    close: () => log.close(),
  }
}
