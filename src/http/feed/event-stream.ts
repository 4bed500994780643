/**
 * Runs one open event stream (server-sent events) over a raw reply: filters events by type and permission, and drops a reader that does not
 * keep up.
 */
import type { ServerResponse } from 'node:http'
import type { Caller } from '../../app/access/caller.ts'
import type { Told } from '../../app/feed/live-event-details.ts'
import type { LiveEvents } from '../../app/feed/live-events.ts'
import type { LoginId } from '../../vocabulary/id.ts'
import { fromSeq, type Position } from '../../events/position.ts'
import { TimedOut } from '../../concurrency/timeout.ts'
import { QueueFull } from '../../concurrency/semaphore.ts'
import type { EventFrames } from './event-frames.ts'

export interface EventStreamOptions {
  readonly loginId: LoginId
  /** Requested kinds: `movie.*`, `scan.started`; empty: all. */
  readonly types: readonly string[]
  /** An administrator who wants the playback events of everybody. */
  readonly everyone: boolean
  /** `Last-Event-ID`: the last event that the client received; undefined: a new client. */
  readonly lastEventId: string | undefined
}

export interface EventStream {
  readonly loginId: LoginId
  /** Settles when the connection is closed. */
  readonly closed: Promise<void>
  /** Writes a text that is not an event of the log. */
  write(this: void, text: string): void
  /** The same for a kind that only administrators get, if this client requested it. */
  tellAdmin(this: void, kind: string, text: string): void
  end(this: void, text?: string): void
}

export interface EventStreamDependencies {
  readonly liveEvents: LiveEvents
  readonly frames: EventFrames
  readonly serverVersion: string
  /** Build of the web client; null: none is served. */
  readonly webBuild: () => Promise<string | null>
}

/** Maximum backlog of a reader in bytes. */
const BEHIND_MAX_BYTES = 256 * 1024
const RETRY = 'retry: 3000\n\n'
const RETRY_LATER = 'retry: 30000\n\n'

export function openEventStream(
  raw: ServerResponse,
  options: EventStreamOptions,
  { liveEvents, frames, serverVersion, webBuild }: EventStreamDependencies,
): EventStream & { readonly caughtUp: Promise<void> } {
  const { loginId, everyone, lastEventId } = options
  const wanted = wantedKinds(options.types)
  const state = { open: true }
  const gone = new AbortController()
  let stopListening = () => {}
  const closed = Promise.withResolvers<void>()
  raw.once('close', () => {
    state.open = false
    gone.abort()
    stopListening()
    closed.resolve()
  })

  function write(text: string): void {
    if (!state.open || text === '') return
    raw.write(text)
    if (raw.writableLength > BEHIND_MAX_BYTES) raw.destroy()
  }

  function end(text = ''): void {
    stopListening()
    if (state.open) raw.end(text)
    state.open = false
    gone.abort()
  }

  const isFor = (caller: Caller, event: Told) => wanted(event.kind) && liveEvents.isFor(caller, event, everyone)

  function tell(events: readonly Told[] | null, after: Position): void {
    const caller = liveEvents.callerOf(loginId)
    if (!caller) return end()
    if (!events) return write(frames.bare('reset', liveEvents.position()))
    let text = ''
    for (const event of events) if (event.position > after && isFor(caller, event)) text += frames.of(event, caller)
    write(text)
  }

  /** Reads the log up to the position of the live streams, then joins them. */
  async function catchUp(start: Position): Promise<void> {
    let from = start
    while (state.open && from < liveEvents.position()) {
      const caller = liveEvents.callerOf(loginId)
      const missed = caller
        ? await liveEvents.missed(from, (event) => isFor(caller, event), { userId: caller.userId, signal: gone.signal })
        : { events: [], upTo: from }
      if (!caller || !missed) tell(null, from)
      else tell(missed.events, from)
      from = missed?.upTo ?? liveEvents.position()
    }
    if (state.open) stopListening = liveEvents.listen((events) => tell(events, from))
  }

  async function begin(): Promise<void> {
    const now = liveEvents.position()
    const after = lastEventId === undefined ? now : fromSeq(lastEventId)
    const build = await webBuild()
    const known = after !== undefined && (await liveEvents.isKnown(after))
    write(RETRY + frames.bare('hello', known ? after : now, { serverVersion, webBuild: build }))
    if (!known) write(frames.bare('reset', now))
    await catchUp(known ? after : now)
  }

  /** A disconnected client misses nothing; one without a free slot reconnects later. */
  async function beginOrEnd(): Promise<void> {
    try {
      await begin()
    } catch (cause) {
      if (gone.signal.aborted) return
      if (!(cause instanceof QueueFull || cause instanceof TimedOut)) throw cause
      end(RETRY_LATER)
    }
  }

  function tellAdmin(kind: string, text: string): void {
    if (wanted(kind) && liveEvents.callerOf(loginId)?.role === 'admin') write(text)
  }

  return { loginId, closed: closed.promise, write, tellAdmin, end, caughtUp: beginOrEnd() }
}

function wantedKinds(types: readonly string[]): (kind: string) => boolean {
  if (types.length === 0 || types.includes('*')) return () => true
  const exact = new Set(types)
  return (kind) => exact.has(kind) || exact.has(`${kind.slice(0, kind.indexOf('.'))}.*`)
}
