/**
 * Terms of a session's streams, agreed on at its start and stored in PlaybackStarted: every node makes the same plan of them, and
 * renditions are shared by those who have the same.
 */
import type { ClientCapabilities } from './client-capabilities.ts'
import type { Encoder } from './encoder.ts'
import type { ToneMapping } from './tone-mapper.ts'

/** What a sound track is raised by where it is made anew, in tenths of a dB: as stereo, and as 5.1. */
export interface TrackGain {
  /** Index of the stream in the file. */
  readonly stream: number
  readonly stereoDb: number
  readonly surroundDb: number
}

export interface StreamOptions {
  /** What the player said of itself; only where it did. */
  readonly capabilities?: ClientCapabilities
  /** Number of the subtitle that is drawn into the picture. */
  readonly burnIn?: number
  /** Of those tracks that are raised or turned down. */
  readonly audioGain?: readonly TrackGain[]
  /** What pictures are encoded with; missing: x264. */
  readonly encoder?: Encoder
  /** What brings HDR pictures down to usual brightness; missing: zscale. */
  readonly toneMapping?: ToneMapping
}

/** The terms among other members, in one order: equal ones are equal as JSON, too. */
export function streamOptionsOf({ capabilities, burnIn, audioGain, encoder, toneMapping }: StreamOptions): StreamOptions {
  return {
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(burnIn === undefined ? {} : { burnIn }),
    ...(audioGain === undefined ? {} : { audioGain }),
    ...(encoder === undefined ? {} : { encoder }),
    ...(toneMapping === undefined ? {} : { toneMapping }),
  }
}
