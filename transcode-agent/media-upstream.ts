/**
 * Client of the API for remote agents: reads films in byte ranges. Each call is one request; the caller decides on retries.
 */
import type { Clock } from '../src/ports/clock.ts'
import { createRangeClient, type Head } from './range-client.ts'

/** A film and the token with which one job may fetch it. */
export interface RemoteMedia {
  readonly fileId: string
  readonly token: string
}

/** Identifies one version, so that bytes of two versions are never mixed. */
export interface MediaVersion {
  readonly etag: string
  readonly sizeBytes: number
}

/** A permanent failure: retrying will not help. The message is a sentence for a person. */
export class MediaLost extends Error {
  readonly code = 'film-lost'
  /** The rejected token, if that is the cause. */
  readonly token: string | undefined
  constructor(message: string, token?: string) {
    super(message)
    this.name = 'MediaLost'
    this.token = token
  }
}

export interface Upstream {
  /** @throws MediaLost; any other error may be temporary */
  version(mediaFile: RemoteMedia, signal: AbortSignal): Promise<MediaVersion>
  /** Fills `into` with the bytes from `first` on, of exactly this version. @throws MediaLost; any other error may be temporary */
  read(mediaFile: RemoteMedia & MediaVersion, stretch: Stretch, signal: AbortSignal): Promise<void>
  close(): void
}

export interface Stretch {
  readonly first: number
  readonly into: Uint8Array
  /** So many more bytes have arrived. */
  readonly came: (bytes: number) => void
}

export interface UpstreamOptions {
  /** Base URL of the API, without a trailing slash. */
  readonly apiUrl: string
  readonly clock: Clock
}

const CHANGED = 'The film has changed while it was read'
const NOTHING = new Uint8Array(0)

export function createUpstream({ apiUrl, clock }: UpstreamOptions): Upstream {
  const client = createRangeClient({ baseUrl: apiUrl, clock })
  const of = ({ fileId, token }: RemoteMedia) => ({
    path: `/api/agent/sources/${encodeURIComponent(fileId)}`,
    headers: { authorization: `Bearer ${token}` },
  })

  return {
    async version(mediaFile, signal) {
      const checkHead = (head: Head): void => refuse(head, mediaFile)
      const { headers } = await client.ask({ ...of(mediaFile), method: 'HEAD', into: NOTHING, checkHead, came: () => undefined, signal })
      const { etag } = headers
      const sizeBytes = Number(headers['content-length'])
      if (etag === undefined || !(sizeBytes > 0)) throw new MediaLost('The server does not report the version of the film')
      return { etag, sizeBytes }
    },

    async read(mediaFile, { first, into, came }, signal) {
      const { path, headers } = of(mediaFile)
      const range = `${first}-${first + into.byteLength - 1}`
      const checkHead = (head: Head): void => {
        refuse(head, mediaFile)
        const isWhatWasAsked = head.headers['content-range'] === `bytes ${range}/${mediaFile.sizeBytes}`
        if (head.statusCode !== 206 || head.headers.etag !== mediaFile.etag || !isWhatWasAsked) throw new MediaLost(CHANGED)
      }
      const asking = { ...headers, range: `bytes=${range}`, 'if-range': mediaFile.etag }
      await client.ask({ path, method: 'GET', headers: asking, into, checkHead, came, signal })
    },

    close: () => client.close(),
  }
}

/** @throws Error for an error status: a MediaLost unless it is temporary */
function refuse({ statusCode }: Head, { token }: RemoteMedia): void {
  if (statusCode === 200 || statusCode === 206) return
  if (statusCode === 401 || statusCode === 403) throw new MediaLost('The server does not let this job read the film any more', token)
  if (statusCode === 404 || statusCode === 410) throw new MediaLost('The film is not on the server any more')
  if (statusCode === 412 || statusCode === 416) throw new MediaLost(CHANGED)
  const passes = statusCode >= 500 || [408, 425, 429].includes(statusCode)
  const message = `The server answers ${statusCode} when it is asked for the film`
  throw passes ? new Error(message) : new MediaLost(message)
}
