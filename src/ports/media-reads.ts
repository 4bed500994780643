/**
 * Film reads: one run of ffprobe or ffmpeg on one film, described as data and never as arguments. It runs in this process or in a transcode
 * agent; the caller gets the program's output.
 */
import type { AudioTrack, VideoTrack } from '../vocabulary/media-description.ts'

export type MediaRead =
  /** ffprobe: format, streams and chapters as JSON. */
  | { readonly type: 'describe' }
  /** ffprobe: the first packets of the first audio track, and all of the first video track, as CSV. */
  | { readonly type: 'first-audio-packets' }
  | { readonly type: 'video-packets' }
  /** ffprobe: type, time and duration of the packets between two times of the file, as CSV. */
  | { readonly type: 'packets-between'; readonly fromMs: number; readonly toMs: number }
  /** ffmpeg: one JPEG, the attached image or the frame at a time. */
  | { readonly type: 'cover' }
  | { readonly type: 'frame'; readonly atMs: number }
  /** ffmpeg: text tracks as Matroska, whole. */
  | { readonly type: 'texts'; readonly tracks: readonly ReadText[]; readonly readRate: number | null }
  /** ffmpeg: one text track as Matroska, from a seek on; `pacer`: a stream to copy with it, null for none. */
  | {
      readonly type: 'text-stretch'
      readonly track: ReadText
      readonly seekMs: number | null
      readonly toMs: number
      readonly pacer: number | null
    }
  /** ffmpeg: JPEGs of all keyframes as Matroska, with times `FRAME_OFFSET_MS` later than the container's. */
  | { readonly type: 'keyframes'; readonly mediaFile: ReadVideo; readonly readRate: number }
  /** ffmpeg: the first frame between two times of the container, in the same form. */
  | {
      readonly type: 'picture-from'
      readonly mediaFile: ReadVideo
      readonly fromMs: number
      readonly toMs: number
      readonly seekMs: number | null
    }
  /** ffmpeg: only the output of `ebur128` on stderr, for each track as stereo (`s<stream>c2`) and as 5.1 (`s<stream>c6`). */
  | {
      readonly type: 'loudness'
      readonly audio: readonly AudioTrack[]
      readonly readRate: number
      /** Null: the whole film. */
      readonly mostSeconds: number | null
    }

export type ReadText = {
  readonly stream: number
  /** MP4 has its own text format, which Matroska does not accept. */
  readonly as: 'copy' | 'srt'
}

export type ReadVideo = {
  readonly track: VideoTrack
  readonly width: number
  readonly height: number
}

/** Matroska has no times before zero, but films do. */
export const FRAME_OFFSET_MS = 1_000_000

export const loudnessName = (stream: number, channels: number): string =>
  `s${stream}c${channels === SURROUND_CHANNELS ? SURROUND_CHANNELS : 2}`
export const SURROUND_CHANNELS = 6

/** `behind`: lowest CPU priority. `idle`: lowest disk priority as well. */
export type ReadPriority = 'now' | 'behind' | 'idle'

export interface MediaReadOrder {
  readonly path: string
  readonly read: MediaRead
  readonly priority: ReadPriority
  /** Counts from the start of the run; time spent waiting for an agent does not count. */
  readonly timeoutMs: number
  /** Longest wait for an agent to start; default: until it is killed. */
  readonly patienceMs?: number
}

/** A type, not an interface, since it travels as JSON. */
export type MediaReadEnd = {
  readonly code: number | null
  readonly signal: string | null
  /** The end of its stderr output. */
  readonly errors: string
  /** The beginning of its stderr output. */
  readonly firstErrors: string
}

/** Ends with this process, however that ends. */
export interface RunningMediaRead {
  /** Settles when the program runs; never if it does not start. Does not reject. */
  readonly begun: Promise<void>
  /** Back-pressure: the program waits while this is not read. @throws MediaReadLost */
  readonly output: AsyncIterable<Uint8Array>
  /** @throws MediaReadLost */
  readonly exited: Promise<MediaReadEnd>
  /** Takes effect at once; there is nothing to clean up. */
  kill(): void
}

export type StartMediaRead = (order: MediaReadOrder) => RunningMediaRead

export type LossOf = 'patience' | 'source' | 'agent'

/** No agent could finish the read, and the film is not known to be the cause. */
export class MediaReadLost extends Error {
  readonly code = 'film-read-lost'
  /**
   * `patience`: no agent started in time. `source`: the agent could not continue reading the file, or is stopping. `agent`: the agent
   * disappeared during the read; a film that causes this repeatedly must not be retried indefinitely.
   */
  readonly of: LossOf
  constructor(reason: string, of: LossOf, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'MediaReadLost'
    this.of = of
  }
}
