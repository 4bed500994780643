/** Times and codec configurations of a film, read from its media index: what decisions about its streams are based on. */
import type { DolbyVision } from '../../vocabulary/media-description.ts'
import type { ConfigurationType } from './codec-string.ts'
import type { Light } from './tone-map.ts'

/** Times of a film, from its media index: on the output timeline, but for its zero, which is a time of the file. */
export interface FilmTimes {
  /** The first picture or sound, whichever comes first. */
  readonly zeroMs: number
  /** One before 0 is never shown, but what is shown first needs it. */
  readonly keyframesMs: readonly number[]
  /** Where each of them lies in the file. */
  readonly keyframeOffsets?: readonly (number | null)[]
  /** By how much the pictures of each of their groups are shown before them, where any are. */
  readonly keyframeLeadsMs?: readonly number[]
  /** Whether decoding can begin with each so that nothing is missing (`closed`), or it stands alone at least (`open`). */
  readonly keyframeKinds?: readonly ('closed' | 'open' | 'unclear')[]
  readonly videoStartMs: number
  readonly audioStartMs: number | null
  readonly videoEndMs: number
  /** The most pictures a second in any group of pictures that was looked into. */
  readonly framesPerSecond?: number
  /** Picture and sound in the order of the file, where its header tells of them. */
  readonly tracks?: readonly ConfiguredTrack[]
  /** Picture or sound is put together from several stretches of the file. */
  readonly isSpliced?: boolean
}

export interface ConfiguredTrack {
  readonly type: 'video' | 'audio'
  readonly configuration: { readonly type: ConfigurationType; readonly bytes: Uint8Array } | null
  readonly hdr?: (Light & { readonly dolbyVision: DolbyVision | null }) | null
}
