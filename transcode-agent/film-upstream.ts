/**
 * The API as agents elsewhere see it: films in byte ranges, over connections that stay open. One request each; whether to try again is
 * decided elsewhere.
 */
import { Agent as PlainAgent, request as plainRequest, type IncomingMessage } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { within } from '../src/flow/deadline.ts'
import type { Clock } from '../src/ports/clock.ts'

/** A film as one job may fetch it. */
export interface RemoteFilm {
  readonly fileId: string
  readonly token: string
}

/** Bytes of two versions are never mixed. */
export interface FilmVersion {
  readonly etag: string
  readonly sizeBytes: number
}

/** Trying again will not help. Its message is a sentence for a person. */
export class FilmLost extends Error {
  readonly code = 'film-lost'
  /** The token that was not accepted, where that is why. */
  readonly token: string | undefined
  constructor(message: string, token?: string) {
    super(message)
    this.name = 'FilmLost'
    this.token = token
  }
}

export interface Upstream {
  /** @throws FilmLost; any other error may pass */
  version(film: RemoteFilm, signal: AbortSignal): Promise<FilmVersion>
  /** Bytes from `first` to `last`, both inclusive, of this very version. @throws FilmLost; any other error may pass */
  read(film: RemoteFilm & FilmVersion, range: ByteRange, signal: AbortSignal): AsyncIterable<Uint8Array>
  close(): void
}

export interface ByteRange {
  readonly first: number
  readonly last: number
}

export interface UpstreamOptions {
  /** Base of the API, without a slash at its end. */
  readonly apiUrl: string
  readonly clock: Clock
}

/** From the request to the first byte of the answer, and from one piece of it to the next. */
const SILENT_MS = 10_000
/** As many as jobs read with; so many are kept open between requests. */
const KEPT_CONNECTIONS = 8
const CHANGED = 'The film has changed while it was read'

export function createUpstream({ apiUrl, clock }: UpstreamOptions): Upstream {
  const secure = apiUrl.startsWith('https:')
  const options = { keepAlive: true, maxFreeSockets: KEPT_CONNECTIONS }
  const agent = secure ? new SecureAgent(options) : new PlainAgent(options)
  const patience = { clock, ms: SILENT_MS, message: 'The server does not answer' }

  async function ask(method: 'GET' | 'HEAD', film: RemoteFilm, { headers = {}, signal }: Asking): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const url = `${apiUrl}/api/agent/sources/${encodeURIComponent(film.fileId)}`
    const asked = (secure ? secureRequest : plainRequest)(url, {
      method,
      agent,
      signal,
      headers: { ...headers, authorization: `Bearer ${film.token}` },
    })
    asked.on('response', resolve)
    asked.on('error', reject)
    asked.end()
    try {
      const response = await within(promise, patience)
      refuse(response, film)
      return response
    } catch (cause) {
      asked.destroy()
      throw cause
    }
  }

  return {
    async version(film, signal) {
      const response = await ask('HEAD', film, { signal })
      response.resume()
      const { etag, 'content-length': length } = response.headers
      const sizeBytes = Number(length)
      if (etag === undefined || !(sizeBytes > 0)) throw new FilmLost('The server does not say which version of the film it has')
      return { etag, sizeBytes }
    },

    async *read(film, { first, last }, signal) {
      const headers = { range: `bytes=${first}-${last}`, 'if-range': film.etag }
      const response = await ask('GET', film, { headers, signal })
      try {
        const isWhatWasAsked = response.headers['content-range'] === `bytes ${first}-${last}/${film.sizeBytes}`
        if (response.statusCode !== 206 || response.headers.etag !== film.etag || !isWhatWasAsked) throw new FilmLost(CHANGED)
        const pieces: AsyncIterator<Uint8Array> = response[Symbol.asyncIterator]()
        for (let next = await within(pieces.next(), patience); !next.done; next = await within(pieces.next(), patience)) yield next.value
      } finally {
        // What has been read to its end leaves its connection to others.
        if (!response.complete) response.destroy()
      }
    },

    close: () => agent.destroy(),
  }
}

interface Asking {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** @throws Error where the answer is none: a FilmLost unless it is one that passes */
function refuse({ statusCode = 0 }: IncomingMessage, { token }: RemoteFilm): void {
  if (statusCode === 200 || statusCode === 206) return
  if (statusCode === 401 || statusCode === 403) throw new FilmLost('The server does not let this job read the film any more', token)
  if (statusCode === 404 || statusCode === 410) throw new FilmLost('The film is not on the server any more')
  if (statusCode === 412 || statusCode === 416) throw new FilmLost(CHANGED)
  const passes = statusCode >= 500 || [408, 425, 429].includes(statusCode)
  const message = `The server answers ${statusCode} when it is asked for the film`
  throw passes ? new Error(message) : new FilmLost(message)
}
