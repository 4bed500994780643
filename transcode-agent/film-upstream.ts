/**
 * The API as agents elsewhere see it: films in byte ranges. One request each; whether to try again is decided elsewhere.
 */
import type { Clock } from '../src/ports/clock.ts'
import { createRangeClient, type Head } from './range-client.ts'

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
  /** Fills `into` with what is at `first` and behind it, of this very version. @throws FilmLost; any other error may pass */
  read(film: RemoteFilm & FilmVersion, stretch: Stretch, signal: AbortSignal): Promise<void>
  close(): void
}

export interface Stretch {
  readonly first: number
  readonly into: Uint8Array
  /** So many bytes more are there. */
  readonly came: (bytes: number) => void
}

export interface UpstreamOptions {
  /** Base of the API, without a slash at its end. */
  readonly apiUrl: string
  readonly clock: Clock
}

const CHANGED = 'The film has changed while it was read'
const NOTHING = new Uint8Array(0)

export function createUpstream({ apiUrl, clock }: UpstreamOptions): Upstream {
  const client = createRangeClient({ baseUrl: apiUrl, clock })
  const of = ({ fileId, token }: RemoteFilm) => ({
    path: `/api/agent/sources/${encodeURIComponent(fileId)}`,
    headers: { authorization: `Bearer ${token}` },
  })

  return {
    async version(film, signal) {
      const judge = (head: Head): void => refuse(head, film)
      const { headers } = await client.ask({ ...of(film), method: 'HEAD', into: NOTHING, judge, came: () => undefined, signal })
      const { etag } = headers
      const sizeBytes = Number(headers['content-length'])
      if (etag === undefined || !(sizeBytes > 0)) throw new FilmLost('The server does not say which version of the film it has')
      return { etag, sizeBytes }
    },

    async read(film, { first, into, came }, signal) {
      const { path, headers } = of(film)
      const range = `${first}-${first + into.byteLength - 1}`
      const judge = (head: Head): void => {
        refuse(head, film)
        const isWhatWasAsked = head.headers['content-range'] === `bytes ${range}/${film.sizeBytes}`
        if (head.statusCode !== 206 || head.headers.etag !== film.etag || !isWhatWasAsked) throw new FilmLost(CHANGED)
      }
      const asking = { ...headers, range: `bytes=${range}`, 'if-range': film.etag }
      await client.ask({ path, method: 'GET', headers: asking, into, judge, came, signal })
    },

    close: () => client.close(),
  }
}

/** @throws Error where the answer is none: a FilmLost unless it is one that passes */
function refuse({ statusCode }: Head, { token }: RemoteFilm): void {
  if (statusCode === 200 || statusCode === 206) return
  if (statusCode === 401 || statusCode === 403) throw new FilmLost('The server does not let this job read the film any more', token)
  if (statusCode === 404 || statusCode === 410) throw new FilmLost('The film is not on the server any more')
  if (statusCode === 412 || statusCode === 416) throw new FilmLost(CHANGED)
  const passes = statusCode >= 500 || [408, 425, 429].includes(statusCode)
  const message = `The server answers ${statusCode} when it is asked for the film`
  throw passes ? new Error(message) : new FilmLost(message)
}
