/**
 * Interface between the stream routes and the streaming engine. Names from URLs are parsed before; undefined means that the session does
 * not have the resource, and becomes 404.
 */
import type { StreamGrant } from '../playback/stream-access.ts'
import type { Encoder } from '../../vocabulary/encoder.ts'
import type { Quality } from '../../domain/streaming/stream-name.ts'
import type { SegmentFile, Until } from '../../ports/segment-store.ts'

/** One authorized request. */
export interface StreamAsk extends StreamGrant {
  /** As stated in the playlist that contained the URL. */
  readonly encoder?: Encoder
  /** Fresh stream token, for the URLs in playlists. */
  readonly token: string
  /** Aborts when the client has disconnected. */
  readonly signal: AbortSignal
  /** Settles when the response was sent or aborted: until then its bytes may be borrowed. */
  readonly until?: Until
}

/** Temporarily unavailable; the reason is a sentence for people. */
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
  /** The segment's file, which counts as served; undefined if there is none, although the segment may exist. */
  segmentFile(ask: StreamAsk, quality: Quality, segment: number): Promise<SegmentFile | undefined>
  /** Audio has none, here and below. */
  iframePlaylist(ask: StreamAsk, quality: Quality): StreamAnswer<string>
  /** The first frame of a segment, as a segment. */
  iframe(ask: StreamAsk, quality: Quality, segment: number): StreamAnswer<Uint8Array>
  /** WebVTT of a whole track; `index` as in the session's `subtitles`. */
  subtitle(ask: StreamAsk, index: number): StreamAnswer<string>
  subtitlePlaylist(ask: StreamAsk, index: number): StreamAnswer<string>
  /** One piece of 60 seconds. */
  subtitlePiece(ask: StreamAsk, index: number, piece: number): StreamAnswer<string>
}
