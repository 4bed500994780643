/**
 * Runs one open event stream (server-sent events) over a raw reply: filters events by type and permission, and drops a reader that does not
 * keep up.
 */
import type { ServerResponse } from 'node:http'
import { actsAsAdmin, type Caller } from '../../app/access/caller.ts'
import type { DetailedEvent } from '../../app/feed/live-event-details.ts'
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
  sendToAdmin(this: void, kind: string, text: string): void
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

interface State extends EventStreamOptions {
  readonly raw: ServerResponse
  readonly liveEvents: LiveEvents
  readonly frames: EventFrames
  readonly serverVersion: string
  readonly webBuild: () => Promise<string | null>
  readonly wanted: (kind: string) => boolean
  open: boolean
  readonly gone: AbortController
  stopListening: () => void
}

export function openEventStream(
  raw: ServerResponse,
  options: EventStreamOptions,
  { liveEvents, frames, serverVersion, webBuild }: EventStreamDependencies,
): EventStream & { readonly caughtUp: Promise<void> } {
  const { loginId } = options
  const gone = new AbortController()
  const state: State = {
    ...options,
    raw,
    liveEvents,
    frames,
    serverVersion,
    webBuild,
    wanted: wantedKinds(options.types),
    open: true,
    gone,
    stopListening: () => {},
  }
  const closed = Promise.withResolvers<void>()
  raw.once('close', () => {
    state.open = false
    gone.abort()
    state.stopListening()
    closed.resolve()
  })

  return {
    loginId,
    closed: closed.promise,
    write: (text) => write(state, text),
    sendToAdmin: (kind, text) => sendToAdmin(state, kind, text),
    end: (text) => end(state, text),
    caughtUp: beginOrEnd(state),
  }
}

function write(state: State, text: string): void {
  const { raw } = state
  if (!state.open || text === '') return
  raw.write(text)
  if (raw.writableLength > BEHIND_MAX_BYTES) raw.destroy()
}

function end(state: State, text = ''): void {
  const { raw, gone } = state
  state.stopListening()
  if (state.open) raw.end(text)
  state.open = false
  gone.abort()
}

const isFor = ({ wanted, liveEvents, everyone }: State, caller: Caller, event: DetailedEvent) =>
  wanted(event.kind) && liveEvents.isFor(caller, event, everyone)

function send(state: State, events: readonly DetailedEvent[] | null, after: Position): void {
  const { liveEvents, loginId, frames } = state
  const caller = liveEvents.callerOf(loginId)
  if (!caller) return end(state)
  if (!events) return write(state, frames.bare('reset', liveEvents.position()))
  let text = ''
  for (const event of events) if (event.position > after && isFor(state, caller, event)) text += frames.of(event, caller)
  write(state, text)
}

/** Reads the log up to the position of the live streams, then joins them. */
async function catchUp(state: State, start: Position): Promise<void> {
  const { liveEvents, loginId, gone } = state
  let from = start
  while (state.open && from < liveEvents.position()) {
    const caller = liveEvents.callerOf(loginId)
    const missed = caller
      ? await liveEvents.missed(from, (event) => isFor(state, caller, event), { userId: caller.userId, signal: gone.signal })
      : { events: [], upTo: from }
    if (!caller || !missed) send(state, null, from)
    else send(state, missed.events, from)
    from = missed?.upTo ?? liveEvents.position()
  }
  if (state.open) state.stopListening = liveEvents.listen((events) => send(state, events, from))
}

async function begin(state: State): Promise<void> {
  const { liveEvents, lastEventId, webBuild, frames, serverVersion } = state
  const now = liveEvents.position()
  const after = lastEventId === undefined ? now : fromSeq(lastEventId)
  const build = await webBuild()
  const known = after !== undefined && (await liveEvents.isKnown(after))
  write(state, RETRY + frames.bare('hello', known ? after : now, { serverVersion, webBuild: build }))
  if (!known) write(state, frames.bare('reset', now))
  await catchUp(state, known ? after : now)
}

/** A disconnected client misses nothing; one without a free slot reconnects later. */
async function beginOrEnd(state: State): Promise<void> {
  try {
    await begin(state)
  } catch (cause) {
    if (state.gone.signal.aborted) return
    if (!(cause instanceof QueueFull || cause instanceof TimedOut)) throw cause
    end(state, RETRY_LATER)
  }
}

function sendToAdmin(state: State, kind: string, text: string): void {
  const { wanted, liveEvents, loginId } = state
  const caller = liveEvents.callerOf(loginId)
  if (wanted(kind) && caller && actsAsAdmin(caller)) write(state, text)
}

function wantedKinds(types: readonly string[]): (kind: string) => boolean {
  if (types.length === 0 || types.includes('*')) return () => true
  const exact = new Set(types)
  return (kind) => exact.has(kind) || exact.has(`${kind.slice(0, kind.indexOf('.'))}.*`)
}
