/**
 * Rendition: one track of one film in one form, cut into segments. It is the unit of work and of caching; sessions only refer to it. Its
 * output is described by enums and integers; only the agent turns them into ffmpeg arguments.
 */
import type { Encoder } from '../../vocabulary/encoder.ts'
import type { BurnIn } from './burn-in.ts'
import type { Grid } from './segment-grid.ts'
import type { H264Level } from './h264-level.ts'
import type { ChannelLayout } from './channel-layout.ts'
import type { AudioForm } from './stream-name.ts'
import type { ToneMap } from './tone-map.ts'

/**
 * The constant frame rate of a film, and when its first frame is shown on the output timeline (null if unknown). Types, not interfaces,
 * since they travel as JSON.
 */
export type FrameRate = { readonly numerator: number; readonly denominator: number; readonly startMs: number | null }

export type Output =
  | {
      readonly type: 'copy-video'
      /**
       * Name of the sample entry if there are several: `hvc1` means that all parameters are in the init segment, `dvh1` also that nothing
       * can be seen without Dolby Vision.
       */
      readonly tag?: 'hvc1' | 'dvh1'
      readonly cadence: FrameRate | null
    }
  | {
      readonly type: 'encode-video'
      readonly encoder: Encoder
      /** Size of the encoded video, turned for display, square pixels. */
      readonly width: number
      readonly height: number
      readonly maxBitrateBps: number
      readonly level: H264Level
      /** Frames that say that they are interlaced are deinterlaced. */
      readonly deinterlace: boolean
      /** Set if the source's colours are not those of every screen. */
      readonly toneMap: ToneMap | null
      /** Set if the film states no matrix and is not tone-mapped: it is taken to have this one, which the output states. */
      readonly matrix?: 'bt709'
      /** A fixed rate for films with less than one frame per segment; else frames keep their own times. */
      readonly framesPerSecond: number | null
      /** Null if the film has no constant rate. */
      readonly cadence: FrameRate | null
      /** Set if a subtitle is burnt in. */
      readonly burnIn?: BurnIn
    }
  | {
      readonly type: 'copy-audio'
      readonly sampleRate: number
      /** As ffprobe names it. */
      readonly codec: string
      /** Samples of one codec frame at that rate; null if only the track's configuration or each frame states it. */
      readonly frameSamples: number | null
      readonly channels: number
      /** The source frames its AAC with ADTS headers (MPEG-TS). */
      readonly adts: boolean
      /** Output time of a codec frame: the others are whole frames away from it, except for the container's rounding. */
      readonly anchorMs: number
    }
  | {
      readonly type: 'encode-audio'
      readonly channels: number
      readonly bitrateBps: number
      readonly sampleRate: 48_000
      /** Set if its channels have to be mixed. */
      readonly mixedFrom?: ChannelLayout
      /** Set if it is made louder or quieter. */
      readonly gainDb?: number
    }

export interface Rendition {
  /** Unique for each output of a source: stream, form and grid. Letters, digits and dashes. */
  readonly key: string
  /** The `:quality` of its URLs. */
  readonly name: string
  /** Index of the stream in the file. */
  readonly stream: number
  readonly output: Output
  readonly grid: Grid
  /** Average and peak. */
  readonly bitrateBps: number
  readonly peakBitrateBps: number
  /** RFC 6381, as far as it is known before the first byte. */
  readonly codec: string
}

export interface VideoRendition extends Rendition {
  readonly method: 'remux' | 'transcode'
  /** Whether `codec` equals the string of the init segment; else only the init segment has the exact one. */
  readonly isCodecExact: boolean
  /** A codec and a brand, which a player may use as an alternative. */
  readonly supplementalCodec?: string
  /** Whether every segment starts with a frame from which on all can be decoded. */
  readonly areIndependent: boolean
  /** Whether the first frame of every segment can be decoded by itself. */
  readonly standAlone: boolean
  /** Turned for display, square pixels. */
  readonly width: number
  readonly height: number
  readonly frameRate: number | null
  readonly videoRange: 'SDR' | 'PQ' | 'HLG'
}

export interface AudioRendition extends Rendition {
  readonly form: AudioForm
  /** Index in the film's list of audio tracks. */
  readonly index: number
  readonly language: string | null
  readonly title: string | null
  readonly channels: number
  readonly default: boolean
}
