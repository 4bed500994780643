/**
 * Rendition: one track of one film in one form, cut into segments. It is the unit of work and of the cache; sessions only hold
 * interest in it. What is to be made is said in enums and integers; the agent alone turns it into arguments of ffmpeg.
 */
import type { Encoder } from '../../vocabulary/encoder.ts'
import type { BurnIn } from './burn-in.ts'
import type { Grid } from './segment-grid.ts'
import type { H264Level } from './h264-level.ts'
import type { ChannelLayout } from './channel-layout.ts'
import type { AudioForm } from './stream-name.ts'
import type { ToneMap } from './tone-map.ts'

/**
 * The steady rate of a film's pictures, and when the first is shown on the output timeline (null when it is not known). Types, not
 * interfaces, since they travel as JSON.
 */
export type FrameRate = { readonly numerator: number; readonly denominator: number; readonly startMs: number | null }

export type Output =
  | {
      readonly type: 'copy-video'
      /**
       * Name of the sample entry where there are several: `hvc1` says that all parameters are in the init segment, `dvh1` besides that
       * nothing can be seen without Dolby Vision.
       */
      readonly tag?: 'hvc1' | 'dvh1'
      readonly cadence: FrameRate | null
    }
  | {
      readonly type: 'encode-video'
      readonly encoder: Encoder
      /** Size of the made picture, turned for display, square pixels. */
      readonly width: number
      readonly height: number
      readonly maxBitrateBps: number
      readonly level: H264Level
      readonly deinterlace: boolean
      /** Of a source whose colours are not those of every screen. */
      readonly toneMap: ToneMap | null
      /** A fixed rate for films that are too slow for one picture a segment; else pictures keep their own times. */
      readonly framesPerSecond: number | null
      /** Null where the film has no steady rate. */
      readonly cadence: FrameRate | null
      /** Where a subtitle is drawn into it. */
      readonly burnIn?: BurnIn
    }
  | {
      readonly type: 'copy-audio'
      readonly sampleRate: number
      /** As ffprobe names it. */
      readonly codec: string
      /** Samples of one codec frame at that rate; null where only the track's configuration tells. */
      readonly frameSamples: number | null
      readonly channels: number
      /** The source frames its AAC with ADTS headers (MPEG-TS). */
      readonly adts: boolean
      /** Output time of a codec frame: the others lie whole frames from it, but for the container's rounding. */
      readonly anchorMs: number
    }
  | {
      readonly type: 'encode-audio'
      readonly channels: number
      readonly bitrateBps: number
      readonly sampleRate: 48_000
      /** Where its channels have to be mixed. */
      readonly mixedFrom?: ChannelLayout
      /** Where it is made louder, or less loud. */
      readonly gainDb?: number
    }

export interface Rendition {
  /** Unique for what is made of a source: stream, form and grid. Letters, digits and dashes. */
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
  /** RFC 6381, as far as it can be told before the first byte. */
  readonly codec: string
}

export interface VideoRendition extends Rendition {
  readonly method: 'remux' | 'transcode'
  /** Whether `codec` is what the init segment says; else only that tells. */
  readonly isCodecExact: boolean
  /** A codec and a brand, which a player may take it for instead. */
  readonly supplementalCodec?: string
  /** Whether every segment begins with a picture from which on all can be decoded. */
  readonly areIndependent: boolean
  /** Whether the first picture of every segment can be decoded by itself. */
  readonly standAlone: boolean
  /** Turned for display, square pixels. */
  readonly width: number
  readonly height: number
  readonly frameRate: number | null
  readonly videoRange: 'SDR' | 'PQ' | 'HLG'
}

export interface AudioRendition extends Rendition {
  readonly form: AudioForm
  /** Place in the film's list of sound tracks. */
  readonly index: number
  readonly language: string | null
  readonly title: string | null
  readonly channels: number
  readonly default: boolean
}
