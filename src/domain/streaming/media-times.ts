/** Defines the times and codec configurations of a film, read from its media index: decisions about its streams are based on them. */
import type { DolbyVision } from '../../vocabulary/media-description.ts'
import type { MediaPart } from '../../vocabulary/media-part.ts'
import type { ConfigurationType } from './codec-string.ts'
import type { Light } from './tone-map.ts'

/** Times of a film on the output timeline, from its media index. Only its zero is a time of the file. */
export interface MediaTimes {
  /** The first frame or audio sample, whichever comes first. */
  readonly zeroMs: number
  /** A keyframe before 0 is never shown, but the first visible frame needs it. */
  readonly keyframesMs: readonly number[]
  /** Position of each keyframe in the file. */
  readonly keyframeOffsets?: readonly (number | null)[]
  /** How long before each keyframe the first frame of its group is shown, if there are such frames. */
  readonly keyframeLeadsMs?: readonly number[]
  /**
   * Whether decoding can start at each keyframe without missing frames (`closed`), or the keyframe can at least be decoded alone
   * (`open`).
   */
  readonly keyframeKinds?: readonly ('closed' | 'open' | 'unclear')[]
  readonly videoStartMs: number
  readonly audioStartMs: number | null
  readonly videoEndMs: number
  /** The highest frame rate of any examined group of pictures. */
  readonly framesPerSecond?: number
  /** Video and audio tracks in file order, if the header describes them. */
  readonly tracks?: readonly ConfiguredTrack[]
  /** Video or audio is assembled from several parts of the file. */
  readonly isSpliced?: boolean
  /** Missing if one clock runs through the film. */
  readonly parts?: readonly MediaPart[]
  /** Whether a run can read from each closed keyframe on. */
  readonly landsOnKeyframes?: boolean
  /** How much later than the target of a seek ffmpeg may land. */
  readonly landsLateMs?: number
}

export interface ConfiguredTrack {
  readonly type: 'video' | 'audio'
  readonly configuration: { readonly type: ConfigurationType; readonly bytes: Uint8Array } | null
  readonly hdr?: (Light & { readonly dolbyVision: DolbyVision | null }) | null
}
