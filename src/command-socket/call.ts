/** The command line's end of the command socket: asks a running server, or finds that there is none. */
import { createConnection } from 'node:net'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { CommandRequest } from './listen.ts'
import { jsonLine, jsonLines } from './lines.ts'
import type { SocketPlace } from './socket-place.ts'
import { isTrusted } from './socket-place.ts'

export class NobodyListens extends Error {
  readonly code = 'nobody-listens'
  constructor(path: string, options?: ErrorOptions) {
    super(`No server listens on ${path}`, options)
    this.name = 'NobodyListens'
  }
}

/** The server could not do what was asked, or was lost on the way; the message is for a person. */
export class CallFailed extends Error {
  readonly code = 'call-failed'
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CallFailed'
  }
}

export interface CallOptions {
  readonly step?: (step: unknown) => void
  /** Ends the call and informs the server. */
  readonly signal?: AbortSignal
  /** Longest silence of the server, which shows signs of life every five seconds. */
  readonly silenceMs?: number
}

const LONGEST_REPLY_BYTES = 16 * 1024 * 1024
const SILENCE_MS = 20_000

/**
 * Sends one request and waits for its result.
 * @throws NobodyListens nothing ran
 * @throws CallFailed
 * @throws the reason of an aborted signal
 */
export async function callServer(place: SocketPlace, request: CommandRequest, options: CallOptions = {}): Promise<unknown> {
  const { signal, silenceMs = SILENCE_MS } = options
  const socket = await connect(place)
  const hangUp = () => socket.destroy()
  signal?.addEventListener('abort', hangUp, { once: true })
  socket.setTimeout(silenceMs, () => socket.destroy(new CallFailed('The server does not answer')))
  try {
    socket.write(jsonLine(request))
    return await result(socket, options.step)
  } catch (cause) {
    signal?.throwIfAborted()
    throw cause instanceof CallFailed ? cause : new CallFailed('The connection to the server was lost', { cause })
  } finally {
    signal?.removeEventListener('abort', hangUp)
    socket.destroy()
  }
}

async function connect(place: SocketPlace): Promise<Socket> {
  if (!isTrusted(place)) throw new NobodyListens(place.path)
  const socket = createConnection(place.path)
  try {
    await once(socket, 'connect')
    return socket
  } catch (cause) {
    throw new NobodyListens(place.path, { cause })
  }
}

async function result(socket: Socket, step: CallOptions['step']): Promise<unknown> {
  for await (const line of jsonLines(socket, LONGEST_REPLY_BYTES)) {
    if (typeof line !== 'object' || line === null) continue
    if ('step' in line) step?.(line.step)
    if ('failure' in line) throw new CallFailed(String(line.failure))
    if ('result' in line) return line.result
  }
  throw new CallFailed('The server closed the connection before it had answered')
}
