/**
 * One connection to a NATS server, from its creation to its loss. It is never repaired: `connection.ts` makes the next one, so that nothing
 * queues unseen in the client during an outage.
 */
import { connect, type Msg, type MsgHdrs, type NatsConnection as Client } from 'nats'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { Clock } from '../../ports/clock.ts'
import { withTimeout } from '../../concurrency/timeout.ts'
import { nameOfHost, type NatsAddress } from './address.ts'
import type { ServerProbe } from './server-probe.ts'
import { createSendWindow, type SendWindow } from './send-window.ts'
import { inboxPrefixOf, refusalOf, reportRefusedMessages } from './permissions.ts'
import type { Report } from '../../ports/report.ts'

export interface Session {
  readonly client: Client
  /** Aborted when the connection is gone. */
  readonly ended: AbortSignal
  /** Whether it was sent; messages are dropped if the server is too slow. */
  send(message: Outgoing): boolean
  /** Like `send`, but queues if the server is slow, until the signal is aborted or the connection is gone. Never rejects. */
  post(message: Outgoing, signal?: AbortSignal): Promise<boolean>
  /** Returns a function that ends it. */
  listen(subject: string, listener: Listener): () => void
  /** Settles when the server has processed everything sent before. Bounded. */
  flush(): Promise<void>
  end(reason: Error): void
}

export interface Outgoing {
  readonly subject: string
  readonly payload: Uint8Array
  readonly reply?: string
  readonly headers?: MsgHdrs
}

export interface Listener {
  /** Of all listeners with the same queue name one gets each message. */
  readonly queue?: string
  readonly take: (message: Msg) => void
  /** After its end it still receives the messages in flight at that time. */
  readonly drains?: boolean
  readonly refused: (error: Error) => void
}

export interface SessionOptions {
  readonly address: NatsAddress
  /** Name of this program in the server's list of connections. */
  readonly name: string
  readonly clock: Clock
  readonly onError: Report
}

const CONNECT_MS = 3_000
const FLUSH_MS = 1_500
/**
 * After this many consecutive unanswered pings a connection counts as lost. Counted instead of timed, since this process may have been
 * suspended.
 */
const BEAT_MS = 2_000
const SILENT_BEATS = 3
/** Most bytes sent and not confirmed by a pong; beyond it messages are dropped or queued. */
const UNCONFIRMED_MAX_BYTES = 32 * 1024 * 1024
/** Most queued bytes; beyond it messages are refused. */
const WAITING_MAX_BYTES = 64 * 1024 * 1024
/** A slow link that carries this much within the silent beats does not count as lost. */
const CONFIRM_EVERY_BYTES = 256 * 1024
/** Approximate overhead of a message beside its payload. */
const MESSAGE_BYTES = 200

export async function openSession(probe: ServerProbe, options: SessionOptions): Promise<Session> {
  const { address, name, clock } = options
  const connecting = connect({
    servers: nameOfHost(probe.host),
    ...address.credentials,
    ...(address.tls && { tls: {} }),
    // Without TLS the client's own look-up, which ignores the hosts file, is not needed.
    resolve: address.tls || probe.usesTls,
    name,
    inboxPrefix: inboxPrefixOf(address),
    reconnect: false,
    ignoreClusterUpdates: true,
    timeout: CONNECT_MS,
    // Our own heartbeat detects a loss sooner, and drops a connection that cannot be written to.
    pingInterval: 24 * 3600 * 1000,
    noAsyncTraces: true,
  })
  try {
    return createSession(await withTimeout(connecting, { clock, ms: CONNECT_MS, message: 'NATS takes too long to connect' }), options)
  } catch (error) {
    connecting.then((late) => late.close()).catch(() => {})
    throw error
  }
}

interface State extends SessionOptions {
  readonly client: Client
  readonly ending: AbortController
  readonly sendWindow: SendWindow
  unanswered: number
  heardBytes: number
  unpingedBytes: number
  dropped: boolean
  readonly stopBeating: () => void
}

function createSession(client: Client, options: SessionOptions): Session {
  const { clock, onError } = options
  const ending = new AbortController()
  const sendWindow = createSendWindow({ maxBytes: UNCONFIRMED_MAX_BYTES, maxWaitingBytes: WAITING_MAX_BYTES })
  const state: State = {
    ...options,
    client,
    ending,
    sendWindow,
    unanswered: 0,
    heardBytes: 0,
    unpingedBytes: 0,
    dropped: false,
    stopBeating: clock.every(BEAT_MS, () => beat(state)),
  }
  void reportRefusedMessages(client, onError)
  client.closed().then(
    (error) => end(state, error ?? new Error('NATS closed the connection')),
    (error: unknown) => end(state, error),
  )
  return {
    client,
    ended: ending.signal,
    send: (message) => !isGone(state) && (sendWindow.enter(bytesOf(message.payload)) ? write(state, message) : drop(state)),
    post: (message, signal) => post(state, message, signal),
    listen: (subject, listener) => listen(client, subject, listener),
    // The client forgets pending flushes when its connection breaks.
    flush: () => withTimeout(confirm(state), { clock, ms: FLUSH_MS, message: 'NATS does not answer a ping' }),
    end: (reason) => end(state, reason),
  }
}

/** Pongs come in the order of the pings, so each confirms everything sent before it. */
async function confirm(state: State): Promise<void> {
  const { client, sendWindow } = state
  const bytes = state.unpingedBytes
  state.unpingedBytes = 0
  await client.flush()
  state.unanswered = 0
  sendWindow.leave(bytes)
}

function beat(state: State): void {
  const { inBytes } = state.client.stats()
  // Over a slow link a pong comes behind all data in flight to us: that data is a sign of life, too.
  if (inBytes !== state.heardBytes) state.unanswered = 0
  state.heardBytes = inBytes
  if (state.unanswered++ >= SILENT_BEATS) end(state, new Error('NATS has not answered pings'))
  else confirm(state).catch(() => {})
}

function end({ ending, stopBeating, sendWindow, client }: State, reason: unknown): void {
  if (ending.signal.aborted) return
  stopBeating()
  ending.abort(reason)
  sendWindow.close()
  client.close().catch(() => {})
}

function write(state: State, { subject, payload, reply, headers }: Outgoing): boolean {
  const { client, sendWindow, onError } = state
  const bytes = bytesOf(payload)
  try {
    client.publish(subject, payload, omitUndefined({ reply, headers }))
  } catch (error) {
    sendWindow.leave(bytes)
    onError(error)
    return false
  }
  state.unpingedBytes += bytes
  if (state.unpingedBytes >= CONFIRM_EVERY_BYTES) confirm(state).catch(() => {})
  return true
}

function drop(state: State): false {
  if (!state.dropped) state.onError(new Error('NATS accepts messages too slowly: some are dropped'), 'warn')
  state.dropped = true
  return false
}

const isGone = ({ ending, client }: State): boolean => ending.signal.aborted || client.isClosed()

async function post(state: State, message: Outgoing, signal?: AbortSignal): Promise<boolean> {
  let hadItsTurn = false
  const go = (): boolean => {
    hadItsTurn = true
    return write(state, message)
  }
  const sent = !isGone(state) && (await state.sendWindow.queue(bytesOf(message.payload), go, signal))
  return hadItsTurn || signal?.aborted === true || isGone(state) ? sent : drop(state)
}

/** Size of a message in flight. */
const bytesOf = (payload: Uint8Array): number => payload.byteLength + MESSAGE_BYTES

function listen(client: Client, subject: string, { queue, take, drains, refused }: Listener): () => void {
  if (client.isClosed()) return () => {}
  const subscription = client.subscribe(subject, {
    ...omitUndefined({ queue }),
    callback: (error, message) => (error ? refused(refusalOf(error) ?? error) : take(message)),
  })
  return () => {
    if (client.isClosed()) return
    if (drains) subscription.drain().catch(() => {})
    else subscription.unsubscribe()
  }
}
