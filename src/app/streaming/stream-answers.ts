/**
 * What the stream routes need of the streaming engine. Names from URLs come in parsed; what the session does not have is undefined
 * and answered with 404.
 */
import type { StreamGrant } from '../playback/stream-access.ts'
import type { Encoder } from '../../vocabulary/encoder.ts'
import type { Quality } from '../../domain/streaming/stream-name.ts'
import type { Until } from '../../ports/segment-store.ts'

/** One request, judged already. */
export interface StreamAsk extends StreamGrant {
  /** As the playlist that named the URL says. */
  readonly encoder?: Encoder
  /** Fresh stream token, for the URLs of playlists. */
  readonly token: string
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal
  /** When the answer is out, or cut off: until then its bytes may be lent. */
  readonly until?: Until
}

/** Not now; the reason is a sentence for a person. */
export interface Unavailable {
  readonly unavailable: string
  readonly retryAfterSeconds: number
}

export type StreamAnswer<Content> = Promise<Content | Unavailable | undefined>

export interface Streams {
  master(ask: StreamAsk): StreamAnswer<string>
  mediaPlaylist(ask: StreamAsk, quality: Quality): StreamAnswer<string>
  init(ask: StreamAsk, quality: Quality): StreamAnswer<Uint8Array>
  segment(ask: StreamAsk, quality: Quality, segment: number): StreamAnswer<Uint8Array>
  /** Sound has none, here and below. */
  iframePlaylist(ask: StreamAsk, quality: Quality): StreamAnswer<string>
  /** The first picture of a segment, as a segment. */
  iframe(ask: StreamAsk, quality: Quality, segment: number): StreamAnswer<Uint8Array>
  /** WebVTT of a whole track; `index` as in the session's `subtitles`. */
  subtitle(ask: StreamAsk, index: number): StreamAnswer<string>
  subtitlePlaylist(ask: StreamAsk, index: number): StreamAnswer<string>
  /** One piece of 60 seconds. */
  subtitlePiece(ask: StreamAsk, index: number, piece: number): StreamAnswer<string>
}
