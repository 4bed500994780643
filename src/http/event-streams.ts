/** All open event streams of this node: how many a user may have, what keeps them alive, and what ends them. */
import type { ServerResponse } from 'node:http'
import type { LiveEvents } from '../app/live-events.ts'
import type { Clock } from '../ports/clock.ts'
import { tooMany } from './errors.ts'
import { COMMENT, createEventFrames } from './event-frames.ts'
import { openEventStream, type EventStream, type EventStreamOptions } from './event-stream.ts'

export interface EventStreams {
  /** Whether one more may be opened. @throws HttpError 429 */
  admit(userId: string): void
  /** Settles when the stream has caught up with the others. */
  open(raw: ServerResponse, options: EventStreamOptions): Promise<void>
  /** Tells every reader that the server stops, and ends the streams. */
  stop(): Promise<void>
}

export interface EventStreamsDependencies {
  readonly liveEvents: LiveEvents
  readonly clock: Clock
  readonly serverVersion: string
  /** Called now and then for each open stream: it counts as activity of its login. */
  readonly active: (stream: EventStream) => void
}

const STREAMS_A_USER = 10
const COMMENT_MS = 15_000
/** How soon a login that has ended, or expired, is noticed. */
const LOGIN_MS = 500
const RETRY_SECONDS = 30
const FLUSH_MS = 500

export function createEventStreams({ liveEvents, clock, serverVersion, active }: EventStreamsDependencies): EventStreams {
  const streams = new Set<EventStream>()
  const counts = new Map<string, number>()
  const frames = createEventFrames(clock)
  /** Two for all streams, while there are any. */
  let timers: (() => void)[] = []

  function count(userId: string, by: number): void {
    const streams = (counts.get(userId) ?? 0) + by
    if (streams > 0) counts.set(userId, streams)
    else counts.delete(userId)
  }

  function add(stream: EventStream): void {
    if (streams.size === 0) timers = [clock.every(LOGIN_MS, endLoggedOut), clock.every(COMMENT_MS, keepAlive)]
    streams.add(stream)
    count(stream.userId, 1)
  }

  function remove(stream: EventStream): void {
    streams.delete(stream)
    count(stream.userId, -1)
    if (streams.size === 0) for (const stop of timers) stop()
  }

  function endLoggedOut(): void {
    for (const stream of streams) if (!liveEvents.callerOf(stream.loginId)) stream.end()
  }

  function keepAlive(): void {
    for (const stream of streams) {
      stream.write(COMMENT)
      active(stream)
    }
  }

  return {
    admit(userId) {
      if ((counts.get(userId) ?? 0) >= STREAMS_A_USER) throw tooMany(`A user may have ${STREAMS_A_USER} event streams`, RETRY_SECONDS)
    },
    async open(raw, options) {
      const stream = openEventStream(raw, options, { liveEvents, frames, serverVersion })
      add(stream)
      raw.once('close', () => remove(stream))
      await stream.caughtUp
    },
    async stop() {
      const closed = [...streams].map((stream) => {
        stream.end(frames.bare('server.stopping', liveEvents.position()))
        return stream.closed
      })
      if (closed.length > 0) await Promise.race([Promise.all(closed), clock.sleep(FLUSH_MS)])
    },
  }
}
