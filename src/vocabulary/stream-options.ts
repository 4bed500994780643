/**
 * Options of a session's streams, agreed on at its start and stored in PlaybackStarted. Every node derives the same plan from them, and
 * sessions with equal options share renditions.
 */
import { omitUndefined } from './omit-undefined.ts'
import type { ClientCapabilities } from './client-capabilities.ts'
import type { Encoder } from './encoder.ts'
import type { ToneMapping } from './tone-mapper.ts'

/** Gain for a re-encoded audio track, in tenths of a dB: as stereo, and as 5.1. */
export interface TrackGain {
  /** Index of the stream in the file. */
  readonly stream: number
  readonly stereoDb: number
  readonly surroundDb: number
}

export interface StreamOptions {
  /** The player's declared capabilities; only if it sent them. */
  readonly capabilities?: ClientCapabilities
  /** Number of the audio track to play first; missing: the file's own default. */
  readonly audioIndex?: number
  /** Number of the text subtitle to show first; missing: the file's own default. */
  readonly subtitleIndex?: number
  /** Number of the subtitle that is burned into the video. */
  readonly burnIn?: number
  /** Tracks with a gain other than zero. */
  readonly audioGain?: readonly TrackGain[]
  /** Video encoder; missing: x264. */
  readonly encoder?: Encoder
  /** Tone-mapper for HDR video; missing: zscale. */
  readonly toneMapping?: ToneMapping
}

/** Picks the options from other members, in a fixed order: equal options are equal as JSON, too. */
export function streamOptionsOf(options: StreamOptions): StreamOptions {
  const { capabilities, audioIndex, subtitleIndex, burnIn, audioGain, encoder, toneMapping } = options
  return omitUndefined({ capabilities, audioIndex, subtitleIndex, burnIn, audioGain, encoder, toneMapping })
}
