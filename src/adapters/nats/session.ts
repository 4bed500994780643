/**
 * One connection to a NATS server, from its being made to its loss. It is never mended: `connection.ts` makes the next one, so that
 * nothing waits unseen in the client while the server is away.
 */
import { connect, type Msg, type NatsConnection as Client } from 'nats'
import type { Clock } from '../../ports/clock.ts'
import { within } from '../../flow/deadline.ts'
import { nameOfHost, type NatsAddress } from './address.ts'
import type { Greeting } from './greeting.ts'

export interface Session {
  readonly client: Client
  /** Aborted when the connection is gone. */
  readonly ended: AbortSignal
  /** Whether it went out; what the server is too slow to take is dropped. */
  send(message: Outgoing): boolean
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
  readonly refused: (error: Error) => void
}

export interface SessionOptions {
  readonly address: NatsAddress
  /** Of this program, in the server's list of connections. */
  readonly name: string
  readonly clock: Clock
  readonly problem: (error: unknown) => void
}

const CONNECT_MS = 3_000
const FLUSH_MS = 1_500
/** A connection whose server has left so many pings in a row unanswered is lost. Counted, since this process may have slept. */
const BEAT_MS = 2_000
const SILENT_BEATS = 3
/** Most bytes that were sent and not confirmed by a pong; beyond it messages are dropped instead of kept in memory. */
const UNCONFIRMED_MAX_BYTES = 32 * 1024 * 1024
const CONFIRM_EVERY_BYTES = 1024 * 1024
/** What a message takes beside its payload, roughly. */
const MESSAGE_BYTES = 200

export async function openSession(greeting: Greeting, options: SessionOptions): Promise<Session> {
  const { address, name, clock } = options
  const connecting = connect({
    servers: nameOfHost(greeting.host),
    ...address.credentials,
    ...(address.tls && { tls: {} }),
    // Without TLS nobody needs the client's own look-up, which does not know the hosts file.
    resolve: address.tls || greeting.usesTls,
    name,
    reconnect: false,
    ignoreClusterUpdates: true,
    timeout: CONNECT_MS,
    // Our own beat notices a loss sooner, and lets go of a connection that cannot be written to.
    pingInterval: 24 * 3600 * 1000,
    noAsyncTraces: true,
  })
  try {
    return createSession(await within(connecting, { clock, ms: CONNECT_MS, message: 'NATS takes too long to connect' }), options)
  } catch (error) {
    connecting.then((late) => late.close()).catch(() => {})
    throw error
  }
}

function createSession(client: Client, { clock, problem }: SessionOptions): Session {
  const ending = new AbortController()
  let unanswered = 0
  let unconfirmedBytes = 0
  let unpingedBytes = 0
  let dropped = false

  /** Pongs come in the order of the pings, so each confirms what was sent before it. */
  async function confirm(): Promise<void> {
    const bytes = unpingedBytes
    unpingedBytes = 0
    await client.flush()
    unconfirmedBytes -= bytes
    unanswered = 0
  }

  function beat(): void {
    if (unanswered++ >= SILENT_BEATS) end(new Error('NATS has not answered pings'))
    else confirm().catch(() => {})
  }

  function end(reason: unknown): void {
    if (ending.signal.aborted) return
    stopBeating()
    ending.abort(reason)
    client.close().catch(() => {})
  }

  function send({ subject, payload, reply }: Outgoing): boolean {
    const bytes = payload.byteLength + MESSAGE_BYTES
    if (ending.signal.aborted || client.isClosed()) return false
    if (unconfirmedBytes + bytes > UNCONFIRMED_MAX_BYTES) {
      if (!dropped) problem(new Error('NATS does not take messages as fast as they come: some are dropped'))
      dropped = true
      return false
    }
    try {
      client.publish(subject, payload, reply === undefined ? {} : { reply })
    } catch (error) {
      problem(error)
      return false
    }
    unconfirmedBytes += bytes
    unpingedBytes += bytes
    if (unpingedBytes >= CONFIRM_EVERY_BYTES) confirm().catch(() => {})
    return true
  }

  const stopBeating = clock.every(BEAT_MS, beat)
  client.closed().then(
    (error) => end(error ?? new Error('NATS closed the connection')),
    (error: unknown) => end(error),
  )
  return {
    client,
    ended: ending.signal,
    send,
    listen: (subject, listener) => listen(client, subject, listener),
    // The client forgets flushes that wait when its connection breaks.
    flush: () => within(confirm(), { clock, ms: FLUSH_MS, message: 'NATS does not answer a ping' }),
    end,
  }
}

function listen(client: Client, subject: string, { queue, take, refused }: Listener): () => void {
  if (client.isClosed()) return () => {}
  const subscription = client.subscribe(subject, {
    ...(queue !== undefined && { queue }),
    callback: (error, message) => (error ? refused(error) : take(message)),
  })
  return () => {
    if (!client.isClosed()) subscription.unsubscribe()
  }
}
