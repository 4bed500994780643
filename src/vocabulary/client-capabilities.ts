/**
 * A player's declared capabilities, as stored in PlaybackStarted: every node derives the same plan from them. Names as ffprobe prints them;
 * lists in the order in which the player sent them.
 */
export interface ClientCapabilities {
  /** Short names of containers (`MediaDescription`) that it plays as files. */
  readonly containers: readonly string[]
  readonly video: readonly VideoCapability[]
  readonly audio: readonly AudioCapability[]
  /** Lines of the video as displayed, the shorter side; null is no limit. */
  readonly maxHeight: number | null
  readonly maxBitrateBps: number | null
}

export interface VideoCapability {
  readonly codec: string
  /** Null: the profiles common to decoders of its bit depth. */
  readonly profile: string | null
  /** In the standard's notation: 4.1, 5.1; null is any. */
  readonly level: number | null
  readonly bitDepth: number
  readonly hdr: readonly HdrKind[]
}

export const HDR_KINDS = ['hdr10', 'hlg', 'dolby-vision'] as const
export type HdrKind = (typeof HDR_KINDS)[number]

export interface AudioCapability {
  readonly codec: string
  readonly maxChannels: number
}
