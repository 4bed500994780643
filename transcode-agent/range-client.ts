/**
 * HTTP client for large byte ranges over keep-alive connections. Incoming data is written straight into the caller's buffer, without an
 * iterator and a promise for each chunk.
 */
import { Agent as PlainAgent, request as plainRequest, type IncomingMessage } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import type { Clock } from '../src/ports/clock.ts'

export type Head = Pick<IncomingMessage, 'headers'> & { readonly statusCode: number }

export interface Question {
  readonly method: 'GET' | 'HEAD'
  /** Relative to the base URL. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Receives the body, which has the same length. */
  readonly into: Uint8Array
  /** Throws if the body must not be read. */
  readonly checkHead: (head: Head) => void
  /** So many more bytes of the body have arrived. */
  readonly came: (bytes: number) => void
  readonly signal: AbortSignal
}

export interface RangeClient {
  /** One attempt. Settles when the whole body has arrived. */
  ask(question: Question): Promise<Head>
  close(): void
}

export interface RangeClientOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly clock: Clock
}

/** Timeout from the request to the first byte of the response, and from one chunk to the next. */
const SILENT_MS = 10_000
const LOOK_MS = 1_000
/** As many as jobs read with; so many are kept open between requests. */
const KEPT_CONNECTIONS = 8

export function createRangeClient({ baseUrl, clock }: RangeClientOptions): RangeClient {
  const isSecure = baseUrl.startsWith('https:')
  const options = { keepAlive: true, maxFreeSockets: KEPT_CONNECTIONS }
  const agent = isSecure ? new SecureAgent(options) : new PlainAgent(options)

  return {
    async ask({ method, path, headers, signal, ...taking }) {
      const { promise, resolve, reject } = Promise.withResolvers<Head>()
      let movedAt = clock.monotonic()
      const asked = (isSecure ? secureRequest : plainRequest)(baseUrl + path, { method, headers, agent, signal })
      const end = (cause: unknown): void => {
        reject(signal.aborted ? signal.reason : cause)
        asked.destroy()
      }
      const moved = (): void => void (movedAt = clock.monotonic())
      asked.on('error', end)
      asked.on('response', (response) => take(response, { ...taking, moved, resolve, end }))
      asked.end()
      const stopLooking = clock.every(LOOK_MS, () => {
        if (clock.monotonic() - movedAt > SILENT_MS) end(new Error('The server does not answer'))
      })
      return promise.finally(stopLooking)
    },
    close: () => agent.destroy(),
  }
}

interface Taking extends Pick<Question, 'into' | 'checkHead' | 'came'> {
  readonly moved: () => void
  readonly resolve: (head: Head) => void
  readonly end: (cause: unknown) => void
}

function take(response: IncomingMessage, { into, checkHead, came, moved, resolve, end }: Taking): void {
  const head = { statusCode: response.statusCode ?? 0, headers: response.headers }
  let filled = 0
  moved()
  try {
    checkHead(head)
  } catch (cause) {
    return end(cause)
  }
  response.on('data', (piece: Uint8Array) => {
    moved()
    if (filled + piece.byteLength > into.byteLength) return end(new Error('The server sends more than it was asked for'))
    into.set(piece, filled)
    filled += piece.byteLength
    came(piece.byteLength)
  })
  response.on('error', () => end(new Error('The server broke off')))
  response.on('end', () => {
    if (filled === into.byteLength) resolve(head)
    else end(new Error('The server does not send as much as it was asked for'))
  })
}
