/**
 * Maintains the connection to NATS, from the start and with permanent reconnects: one session after another (`session.ts`), with the state
 * shared by all of them. Only the servers in the URL are used; further ones announced by a cluster are ignored.
 */
import type { Clock } from '../../ports/clock.ts'
import { ServerUnavailable, type Server } from '../../ports/server.ts'
import { MAX_BODY_BYTES } from '../../ports/bus.ts'
import { abortable, withTimeout } from '../../concurrency/timeout.ts'
import { parseNatsUrl, type NatsAddress } from './address.ts'
import { MAX_HEAD_BYTES } from './frames.ts'
import { findAwake, type ServerProbe } from './server-probe.ts'
import { inboxPrefixOf } from './permissions.ts'
import { openSession, type Session } from './session.ts'
import type { Report } from '../../ports/report.ts'

export interface NatsConnectionOptions {
  /** `nats://user:password@host:4222,other:4222/prefix`; `tls://` requires TLS. */
  readonly url: string
  /** Name of this program in the server's list of connections. */
  readonly name: string
  /** Prefix of the installation if the URL has none. */
  readonly prefix?: string
  /** How long callers wait for the first connection. */
  readonly firstMs?: number
  readonly clock: Clock
  readonly onError: Report
}

export interface NatsConnection {
  readonly engine: Server
  /** First word of all subjects and buckets of this installation. */
  readonly prefix: string
  /** First words of the reply subjects. */
  readonly inboxPrefix: string
  /** The current session. */
  current(): Session | undefined
  /** The current session, or the next one if NATS was lost only a moment ago. @throws ServerUnavailable */
  session(atMostMs?: number): Promise<Session>
  /** Calls with the current session, if there is one, and with every later one. Returns a function that stops this. */
  follow(callback: (session: Session) => void): () => void
  /** A further, independent connection to the same server, named `<name>-<purpose>`. The caller closes it. */
  another(purpose: string): NatsConnection
  close(): Promise<void>
}

interface State extends NatsConnectionOptions {
  readonly address: NatsAddress
  readonly followers: Set<(session: Session) => void>
  readonly closing: AbortController
  current: Session | undefined
  next: PromiseWithResolvers<Session>
  /** When the last session was lost, by the monotonic clock. */
  awaySinceMs: number
  /** Why there is no session. */
  failure: unknown
}

const SERVER = 'NATS'
const DEFAULT_PREFIX = 'marquee'
/** Callers wait out a shorter outage; in a longer one they are refused at once. */
const GRACE_MS = 1_000
/** For a further connection beside one that works: NATS is reachable, and connecting over a long distance takes its time. */
const BESIDE_MS = 5_000
const RETRY_FIRST_MS = 100
const RETRY_LAST_MS = 500
/** A session that ends sooner counts as a failure to connect. */
const LIVED_MS = 5_000
const CLOSE_MS = 1_000

export function connectNats(options: NatsConnectionOptions): NatsConnection {
  const address = parseNatsUrl(options.url)
  const state: State = {
    ...options,
    address,
    followers: new Set(),
    closing: new AbortController(),
    current: undefined,
    next: Promise.withResolvers(),
    awaySinceMs: options.clock.monotonic() + (options.firstMs ?? GRACE_MS) - GRACE_MS,
    failure: undefined,
  }
  const kept = keepConnected(state)
  return {
    engine: { name: SERVER, check: () => check(state) },
    prefix: address.prefix ?? options.prefix ?? DEFAULT_PREFIX,
    inboxPrefix: inboxPrefixOf(address),
    current: () => state.current,
    session: (atMostMs) => sessionOf(state, atMostMs),
    follow(callback) {
      state.followers.add(callback)
      if (state.current) callback(state.current)
      return () => void state.followers.delete(callback)
    },
    another: (purpose) => another(options, purpose),
    close: () => close(state, kept),
  }
}

function another({ onError, ...options }: NatsConnectionOptions, purpose: string): NatsConnection {
  return connectNats({
    ...options,
    name: `${options.name}-${purpose}`,
    firstMs: BESIDE_MS,
    onError: (cause, level) => onError(new Error(`The connection to NATS for ${purpose}`, { cause }), level),
  })
}

/** Wraps an error as an outage of NATS. */
export const natsUnavailable = (cause: unknown): ServerUnavailable =>
  cause instanceof ServerUnavailable ? cause : new ServerUnavailable(SERVER, { cause })

async function check(state: State): Promise<void> {
  const session = await sessionOf(state)
  try {
    await session.flush()
  } catch (error) {
    throw natsUnavailable(error)
  }
}

async function sessionOf(state: State, atMostMs = GRACE_MS): Promise<Session> {
  const { clock, closing } = state
  if (state.current) return state.current
  const ms = Math.min(atMostMs, state.awaySinceMs + GRACE_MS - clock.monotonic())
  if (closing.signal.aborted || ms <= 0) throw natsUnavailable(state.failure)
  try {
    return await abortable(withTimeout(state.next.promise, { clock, ms, message: 'NATS is not connected yet' }), closing.signal)
  } catch (error) {
    throw natsUnavailable(state.failure ?? error)
  }
}

async function keepConnected(state: State): Promise<void> {
  const { clock, closing } = state
  let failures = 0
  while (!closing.signal.aborted) {
    try {
      const probe = await findAwake(rotated(state.address.hosts, failures), { clock, signal: closing.signal })
      const session = await openSession(probe, state)
      const openedMs = clock.monotonic()
      await live(state, session, probe)
      failures = clock.monotonic() - openedMs > LIVED_MS ? 0 : failures + 1
    } catch (error) {
      complain(state, error)
      failures++
    }
    await clock.sleep(retryMs(failures), closing.signal).catch(() => {})
  }
}

/** Settles when the session has ended. Its heartbeat is the bound. */
async function live(state: State, session: Session, { maxPayloadBytes }: ServerProbe): Promise<void> {
  const ended = new Promise<void>((settle) => session.ended.addEventListener('abort', () => settle(), { once: true }))
  if (state.closing.signal.aborted || session.ended.aborted) return session.end(new Error('The connection was closed'))
  const neededBytes = MAX_BODY_BYTES + MAX_HEAD_BYTES
  if (maxPayloadBytes < neededBytes) {
    state.onError(new Error(`NATS takes messages of at most ${maxPayloadBytes} bytes (max_payload), ${neededBytes} are needed`))
  }
  state.failure = undefined
  state.current = session
  try {
    for (const follower of state.followers) follower(session)
    state.next.resolve(session)
    await ended
  } finally {
    session.end(new Error('The connection was closed'))
    leave(state, session.ended.reason)
  }
}

function leave(state: State, reason: unknown): void {
  state.current = undefined
  state.next = Promise.withResolvers()
  state.awaySinceMs = state.clock.monotonic()
  state.failure = reason
  if (!state.closing.signal.aborted) state.onError(new Error('The connection to NATS is lost', { cause: reason }), 'warn')
}

/** Reports why there is no connection; once for each reason, not at each attempt. */
function complain(state: State, error: unknown): void {
  if (state.closing.signal.aborted) return
  if (textOf(error) !== textOf(state.failure)) state.onError(new Error('NATS cannot be reached', { cause: error }), 'warn')
  state.failure = error
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : '')

function rotated<T>(list: readonly T[], by: number): readonly T[] {
  const start = by % list.length
  return [...list.slice(start), ...list.slice(0, start)]
}

/** Exponential backoff with jitter, so that programs do not reconnect in step. */
function retryMs(failures: number): number {
  const ms = Math.min(RETRY_LAST_MS, RETRY_FIRST_MS * 2 ** Math.min(failures, 10))
  return ms * (0.5 + Math.random() / 2)
}

async function close(state: State, kept: Promise<void>): Promise<void> {
  // The last messages may still be in flight.
  await state.current?.flush().catch(() => {})
  state.closing.abort(new Error('The connection to NATS is closed'))
  state.current?.end(new Error('The connection to NATS is closed'))
  await withTimeout(kept, { clock: state.clock, ms: CLOSE_MS, message: 'late' }).catch(() => {})
}
