/** Manages all open event streams of this node: the limit per user, keep-alives, and their end. */
import type { ServerResponse } from 'node:http'
import { STREAMS_A_USER, type EventStreamLimit } from '../../app/feed/event-stream-limit.ts'
import type { Projections } from '../../app/consistency/projection-report.ts'
import type { LiveEvents } from '../../app/feed/live-events.ts'
import type { UserId } from '../../vocabulary/id.ts'
import type { Clock } from '../../ports/clock.ts'
import { tooMany } from '../server/errors.ts'
import { COMMENT, createEventFrames } from './event-frames.ts'
import { createRebuildFrames } from './rebuild-frames.ts'
import { openEventStream, type EventStream, type EventStreamDependencies, type EventStreamOptions } from './event-stream.ts'

export interface EventStreams {
  /** Takes one of the user's slots until the response is closed. @throws HttpError 429 if none is left */
  admit(this: void, userId: UserId, raw: ServerResponse): Promise<void>
  /** Settles when the stream has caught up with the others. One that fails is ended, and its client reconnects. */
  open(this: void, raw: ServerResponse, options: EventStreamOptions): Promise<void>
  /** Notifies every reader of the stop, and ends the streams. */
  stop(): Promise<void>
}

export interface EventStreamsDependencies {
  readonly liveEvents: LiveEvents
  readonly places: EventStreamLimit
  readonly rebuilds: Projections['rebuilds']
  /** Whether this node can check permissions now. */
  readonly isFollowing: () => boolean
  readonly clock: Clock
  readonly serverVersion: string
  readonly webBuild: EventStreamDependencies['webBuild']
  /** Called periodically for each open stream: it counts as activity of its login. */
  readonly active: (stream: EventStream) => void
}

const COMMENT_MS = 15_000
const REBUILDS_MS = 1000
/** How soon an ended or expired login is noticed. */
const LOGIN_MS = 500
const RETRY_SECONDS = 30
const FLUSH_MS = 500

export function createEventStreams(deps: EventStreamsDependencies): EventStreams {
  const { liveEvents, places, isFollowing, clock, serverVersion, webBuild, active } = deps
  const streams = new Set<EventStream>()
  const frames = createEventFrames(clock)
  const rebuildFrames = createRebuildFrames(deps.rebuilds, frames)
  /** For all streams, while there are any. */
  let timers: (() => void)[] = []

  function add(stream: EventStream): void {
    if (streams.size === 0) {
      rebuildFrames(liveEvents.position())
      timers = [clock.every(LOGIN_MS, endLoggedOut), clock.every(COMMENT_MS, keepAlive), clock.every(REBUILDS_MS, sendRebuilds)]
    }
    streams.add(stream)
  }

  function remove(stream: EventStream): void {
    streams.delete(stream)
    if (streams.size === 0) for (const stop of timers) stop()
  }

  function endLoggedOut(): void {
    for (const stream of streams) if (!isFollowing() || !liveEvents.callerOf(stream.loginId)) stream.end()
  }

  function sendRebuilds(): void {
    const frames = rebuildFrames(liveEvents.position())
    for (const stream of streams) for (const { kind, text } of frames) stream.sendToAdmin(kind, text)
  }

  function keepAlive(): void {
    for (const stream of streams) {
      stream.write(COMMENT)
      active(stream)
    }
  }

  return {
    async admit(userId, raw) {
      const leave = await places.take(userId)
      if (!leave) throw tooMany(`A user may have ${STREAMS_A_USER} event streams`, RETRY_SECONDS)
      if (raw.closed) leave()
      else raw.once('close', leave)
    },
    async open(raw, options) {
      if (raw.closed) return
      const stream = openEventStream(raw, options, { liveEvents, frames, serverVersion, webBuild })
      add(stream)
      raw.once('close', () => remove(stream))
      try {
        await stream.caughtUp
      } catch (cause) {
        stream.end()
        throw cause
      }
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
