/**
 * One connection to a NATS server, from its being made to its loss. It is never mended: `connection.ts` makes the next one, so that
 * nothing waits unseen in the client while the server is away.
 */
import { connect, type Msg, type NatsConnection as Client } from 'nats'
import type { Clock } from '../../ports/clock.ts'
import { withTimeout } from '../../concurrency/timeout.ts'
import { nameOfHost, type NatsAddress } from './address.ts'
import type { ServerProbe } from './server-probe.ts'
import { createSendWindow } from './send-window.ts'
import { inboxPrefixOf, refusalOf, reportRefusedMessages } from './permissions.ts'

export interface Session {
  readonly client: Client
  /** Aborted when the connection is gone. */
  readonly ended: AbortSignal
  /** Whether it went out; what the server is too slow to take is dropped. */
  send(message: Outgoing): boolean
  /** As `send`, but waits for its turn where the server is slow; until the signal is aborted or the connection is gone. Never rejects. */
  post(message: Outgoing, signal?: AbortSignal): Promise<boolean>
  /** Returns what ends it. */
  listen(subject: string, listener: Listener): () => void
  /** Settles when the server has done all that was asked before. Bounded. */
  flush(): Promise<void>
  end(reason: Error): void
}

export interface Outgoing {
  readonly subject: string
  readonly payload: Uint8Array
  readonly reply?: string
}

export interface Listener {
  /** Of all listeners with one queue's name one gets each message. */
  readonly queue?: string
  readonly take: (message: Msg) => void
  /** After its end it is still given what was on its way then. */
  readonly drains?: boolean
  readonly refused: (error: Error) => void
}

export interface SessionOptions {
  readonly address: NatsAddress
  /** Of this program, in the server's list of connections. */
  readonly name: string
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

const CONNECT_MS = 3_000
const FLUSH_MS = 1_500
/** A connection whose server has left so many pings in a row unanswered is lost. Counted, since this process may have slept. */
const BEAT_MS = 2_000
const SILENT_BEATS = 3
/** Most bytes that were sent and not confirmed by a pong; beyond it messages are dropped or wait. */
const UNCONFIRMED_MAX_BYTES = 32 * 1024 * 1024
/** Most bytes that wait; beyond it they are refused. */
const WAITING_MAX_BYTES = 64 * 1024 * 1024
/** A slow link that takes so many within the silent beats is not taken for a lost one. */
const CONFIRM_EVERY_BYTES = 256 * 1024
/** What a message takes beside its payload, roughly. */
const MESSAGE_BYTES = 200

export async function openSession(greeting: ServerProbe, options: SessionOptions): Promise<Session> {
  const { address, name, clock } = options
  const connecting = connect({
    servers: nameOfHost(greeting.host),
    ...address.credentials,
    ...(address.tls && { tls: {} }),
    // Without TLS nobody needs the client's own look-up, which does not know the hosts file.
    resolve: address.tls || greeting.usesTls,
    name,
    inboxPrefix: inboxPrefixOf(address),
    reconnect: false,
    ignoreClusterUpdates: true,
    timeout: CONNECT_MS,
    // Our own beat notices a loss sooner, and lets go of a connection that cannot be written to.
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

function createSession(client: Client, { clock, onError }: SessionOptions): Session {
  const ending = new AbortController()
  const passage = createSendWindow({ maxBytes: UNCONFIRMED_MAX_BYTES, maxWaitingBytes: WAITING_MAX_BYTES })
  let unanswered = 0
  let heardBytes = 0
  let unpingedBytes = 0
  let dropped = false

  /** Pongs come in the order of the pings, so each confirms what was sent before it. */
  async function confirm(): Promise<void> {
    const bytes = unpingedBytes
    unpingedBytes = 0
    await client.flush()
    unanswered = 0
    passage.leave(bytes)
  }

  function beat(): void {
    const { inBytes } = client.stats()
    // Over a slow link a pong comes behind all that is on its way here: that, too, is a sign of life.
    if (inBytes !== heardBytes) unanswered = 0
    heardBytes = inBytes
    if (unanswered++ >= SILENT_BEATS) end(new Error('NATS has not answered pings'))
    else confirm().catch(() => {})
  }

  function end(reason: unknown): void {
    if (ending.signal.aborted) return
    stopBeating()
    ending.abort(reason)
    passage.close()
    client.close().catch(() => {})
  }

  function write({ subject, payload, reply }: Outgoing): boolean {
    const bytes = bytesOf(payload)
    try {
      client.publish(subject, payload, reply === undefined ? {} : { reply })
    } catch (error) {
      passage.leave(bytes)
      onError(error)
      return false
    }
    unpingedBytes += bytes
    if (unpingedBytes >= CONFIRM_EVERY_BYTES) confirm().catch(() => {})
    return true
  }

  function drop(): false {
    if (!dropped) onError(new Error('NATS does not take messages as fast as they come: some are dropped'))
    dropped = true
    return false
  }

  const isGone = (): boolean => ending.signal.aborted || client.isClosed()
  const stopBeating = clock.every(BEAT_MS, beat)
  void reportRefusedMessages(client, onError)
  client.closed().then(
    (error) => end(error ?? new Error('NATS closed the connection')),
    (error: unknown) => end(error),
  )
  return {
    client,
    ended: ending.signal,
    send: (message) => !isGone() && (passage.enter(bytesOf(message.payload)) ? write(message) : drop()),
    async post(message, signal) {
      let hadItsTurn = false
      const go = (): boolean => {
        hadItsTurn = true
        return write(message)
      }
      const sent = !isGone() && (await passage.queue(bytesOf(message.payload), go, signal))
      return hadItsTurn || signal?.aborted === true || isGone() ? sent : drop()
    },
    listen: (subject, listener) => listen(client, subject, listener),
    // The client forgets flushes that wait when its connection breaks.
    flush: () => withTimeout(confirm(), { clock, ms: FLUSH_MS, message: 'NATS does not answer a ping' }),
    end,
  }
}

/** Of a message on its way. */
const bytesOf = (payload: Uint8Array): number => payload.byteLength + MESSAGE_BYTES

function listen(client: Client, subject: string, { queue, take, drains, refused }: Listener): () => void {
  if (client.isClosed()) return () => {}
  const subscription = client.subscribe(subject, {
    ...(queue !== undefined && { queue }),
    callback: (error, message) => (error ? refused(refusalOf(error) ?? error) : take(message)),
  })
  return () => {
    if (client.isClosed()) return
    if (drains) subscription.drain().catch(() => {})
    else subscription.unsubscribe()
  }
}
