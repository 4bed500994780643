/**
 * Film reads: one run of ffprobe or ffmpeg on one film, told as data and never as arguments. It runs in this process or in a transcode
 * agent; whoever asks gets what the program prints.
 */
import type { AudioTrack, VideoTrack } from '../vocabulary/media-description.ts'

export type MediaRead =
  /** ffprobe: format, streams and chapters as JSON. */
  | { readonly type: 'describe' }
  /** ffprobe: the first packets of the first audio track, and all of the first video track, as CSV. */
  | { readonly type: 'first-audio-packets' }
  | { readonly type: 'video-packets' }
  /** ffprobe: type and time of the packets between two times of the file, as CSV. */
  | { readonly type: 'packets-between'; readonly fromMs: number; readonly toMs: number }
  /** ffmpeg: one JPEG, the attached picture or the frame at a time. */
  | { readonly type: 'cover' }
  | { readonly type: 'frame'; readonly atMs: number }
  /** ffmpeg: text tracks as Matroska, whole. */
  | { readonly type: 'texts'; readonly tracks: readonly ReadText[]; readonly readRate: number | null }
  /** ffmpeg: one text track as Matroska, from a seek on; `pacer`: a stream to copy beside it, null for none. */
  | {
      readonly type: 'text-stretch'
      readonly track: ReadText
      readonly seekMs: number | null
      readonly toMs: number
      readonly pacer: number | null
    }
  /** ffmpeg: JPEGs of all keyframes as Matroska, `PICTURE_OFFSET_MS` later than the container says. */
  | { readonly type: 'keyframes'; readonly mediaFile: ReadPicture; readonly readRate: number }
  /** ffmpeg: the first picture between two times of the container, in the same form. */
  | {
      readonly type: 'picture-from'
      readonly mediaFile: ReadPicture
      readonly fromMs: number
      readonly toMs: number
      readonly seekMs: number | null
    }
  /** ffmpeg: nothing but what `ebur128` says on stderr, for each track as stereo (`s<stream>c2`) and as 5.1 (`s<stream>c6`). */
  | {
      readonly type: 'loudness'
      readonly audio: readonly AudioTrack[]
      readonly readRate: number
      /** Null: the whole film. */
      readonly mostSeconds: number | null
    }

export type ReadText = {
  readonly stream: number
  /** MP4 has a form of its own, which Matroska does not take. */
  readonly as: 'copy' | 'srt'
}

export type ReadPicture = {
  readonly track: VideoTrack
  readonly width: number
  readonly height: number
}

/** Matroska has no times before zero, films do. */
export const PICTURE_OFFSET_MS = 1_000_000

export const loudnessName = (stream: number, channels: number): string =>
  `s${stream}c${channels === SURROUND_CHANNELS ? SURROUND_CHANNELS : 2}`
export const SURROUND_CHANNELS = 6

/** `behind`: the processor prefers everything else. `idle`: the disks do so, too. */
export type ReadPriority = 'now' | 'behind' | 'idle'

export interface MediaReadOrder {
  readonly path: string
  readonly read: MediaRead
  readonly priority: ReadPriority
  /** Counts from its beginning; how long it may have to wait for an agent does not count. */
  readonly timeoutMs: number
  /** Longest wait for an agent that begins; default: until it is killed. */
  readonly patienceMs?: number
}

/** A type, not an interface, since it travels as JSON. */
export type MediaReadEnd = {
  readonly code: number | null
  readonly signal: string | null
  /** The end of what it said on stderr. */
  readonly errors: string
  /** The beginning of it. */
  readonly firstErrors: string
}

/** It ends with this process, in whatever way that ends. */
export interface RunningMediaRead {
  /** Settles when the program runs; never where it does not come to that. Does not reject. */
  readonly begun: Promise<void>
  /** Left unread, it makes the program wait. @throws MediaReadLost */
  readonly output: AsyncIterable<Uint8Array>
  /** @throws MediaReadLost */
  readonly exited: Promise<MediaReadEnd>
  /** At once; there is nothing to clean up. */
  kill(): void
}

export type StartMediaRead = (order: MediaReadOrder) => RunningMediaRead

export type LossOf = 'patience' | 'source' | 'agent'

/** Nobody could finish it, through no fault of the film's that is known. */
export class MediaReadLost extends Error {
  readonly code = 'film-read-lost'
  /**
   * `patience`: no agent began in time. `source`: the agent could not go on reading the file, or stops. `agent`: the agent went away
   * while it read; a film that does that again and again must not be tried for ever.
   */
  readonly of: LossOf
  constructor(reason: string, of: LossOf, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'MediaReadLost'
    this.of = of
  }
}
