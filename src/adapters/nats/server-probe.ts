/**
 * Finds a responsive server with a separate socket. A NATS server speaks first; a stopped one accepts a connection and stays silent, and
 * the client would leave each such socket open when it gives up.
 */
import { createConnection } from 'node:net'
import type { Clock } from '../../ports/clock.ts'
import { abortable, withTimeout } from '../../concurrency/timeout.ts'
import { nameOfHost, type NatsHost } from './address.ts'

/** A server's description of itself. Servers that require the TLS handshake first (`handshake_first`) are not supported. */
export interface ServerProbe {
  readonly host: NatsHost
  readonly usesTls: boolean
  /** Most bytes of a message that it accepts. */
  readonly maxPayloadBytes: number
}

interface Search {
  readonly clock: Clock
  readonly signal: AbortSignal
}

const GREETING_MS = 2_000
const GREETING_MAX_BYTES = 64 * 1024

/** The first responsive one, in this order. @throws the error of the last one */
export async function findAwake(hosts: readonly NatsHost[], search: Search): Promise<ServerProbe> {
  let failure: unknown
  for (const host of hosts) {
    try {
      return await greet(host, search)
    } catch (error) {
      search.signal.throwIfAborted()
      failure = error
    }
  }
  throw failure
}

async function greet(host: NatsHost, { clock, signal }: Search): Promise<ServerProbe> {
  const socket = createConnection({ host: host.host, port: host.port })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    if (text.includes('\r\n')) resolve(text)
    else if (text.length > GREETING_MAX_BYTES) socket.destroy()
  })
  socket.on('error', reject)
  socket.on('close', () => reject(new Error(`${nameOfHost(host)} closed the connection without a response`)))
  try {
    const waiting = withTimeout(promise, { clock, ms: GREETING_MS, message: `${nameOfHost(host)} is silent` })
    return read(host, await abortable(waiting, signal))
  } finally {
    socket.destroy()
  }
}

function read(host: NatsHost, text: string): ServerProbe {
  const json = /^INFO (\{.*\})\s*\r\n/.exec(text)?.[1]
  if (json === undefined) throw new Error(`${nameOfHost(host)} is no NATS server`)
  const info = JSON.parse(json) as { tls_required?: boolean; tls_available?: boolean; max_payload?: number }
  return { host, usesTls: info.tls_required === true || info.tls_available === true, maxPayloadBytes: info.max_payload ?? 0 }
}
