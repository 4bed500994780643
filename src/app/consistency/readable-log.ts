/**
 * ReadableLog: the log for all who follow it. An event that cannot be read is told of once, with its place, and passed over: what all
 * others say goes on. Commands on its stream are refused, since nobody knows what it said.
 */
import type { Position } from '../../events/position.ts'
import { UnreadableEvent, type EventLog } from '../../ports/event-log.ts'

const TOLD_MAX = 1_000

export function createReadableLog(log: EventLog, print: (line: string) => void): EventLog {
  const told = new Set<Position>()

  function passOver({ message, place: { position } }: UnreadableEvent): void {
    if (told.has(position) || told.size >= TOLD_MAX) return
    told.add(position)
    print(
      `${message}. What it changed is missing; \`npm run marquee -- verify\` lists all such events. Restore the event log from a backup.`,
    )
  }

  return {
    append: (stream, expected, events) => log.append(stream, expected, events),
    read: (stream, from) => log.read(stream, from),
    head: () => log.head(),
    async *follow(after, signal) {
      let reached = after
      while (!signal.aborted) {
        try {
          for await (const batch of log.follow(reached, signal)) {
            reached = batch.at(-1)?.position ?? reached
            yield batch
          }
          return
        } catch (cause) {
          if (!(cause instanceof UnreadableEvent) || cause.place.position <= reached) throw cause
          passOver(cause)
          reached = cause.place.position
        }
      }
    },
    close: () => log.close(),
  }
}
