/** Determines which subtitles can be burnt into the video, and how that changes a rendition. */
import type { MediaDescription, SubtitleTrack, VideoTrack } from '../../vocabulary/media-description.ts'
import { subtitleFormat } from '../../vocabulary/subtitle-format.ts'
import { addedMatrix, usualMatrix, type ColourMatrix } from './colour-matrix.ts'

/** `bitmap`: images, which can only be shown this way; `styled`: text with its own fonts and positions; `text`: plain text. */
export const BURNABLE_KINDS = ['bitmap', 'styled', 'text'] as const
export type BurnableKind = (typeof BURNABLE_KINDS)[number]

/** A subtitle that can be burnt in; `index` as in URLs. */
export interface BurnableSubtitle {
  readonly index: number
  readonly language: string | null
  readonly title: string | null
  readonly forced: boolean
  readonly default: boolean
  readonly kind: BurnableKind
}

/** What an agent burns in. Types, not interfaces, since they travel as JSON. */
export type BurnIn =
  | {
      readonly type: 'bitmap'
      /** Index of the stream in the film. */
      readonly stream: number
      /** The track that shows how far the film has been read, since a subtitle may be minutes before the next one. */
      readonly clock: { readonly type: 'audio' | 'video'; readonly stream: number }
      /** Size of the film's own video, turned for display: a subtitle whose canvas has this size covers the whole video. */
      readonly width: number
      readonly height: number
      /** The film's matrix from colours to luma and chroma. */
      readonly matrix: ColourMatrix
    }
  /** The text is in the job's attachment. */
  | { readonly type: 'text' }

/** The subtitle that a session burns into its video. */
export interface BurntSubtitle {
  /** Distinguishes it from every other subtitle of the film, and from other versions of itself. Letters, digits and dashes. */
  readonly key: string
  /** Index of its stream if it is a bitmap; else null. */
  readonly stream: number | null
}

const BITMAPS: ReadonlySet<string> = new Set(['hdmv_pgs_subtitle', 'dvd_subtitle', 'dvb_subtitle', 'xsub'])
const STANDARD_MATRICES: ReadonlySet<string> = new Set(['smpte170m', 'bt470bg', 'fcc'])

/** Undefined if it cannot be burnt in. */
export function burnableKind({ codec, stream }: SubtitleTrack): BurnableKind | undefined {
  if (stream !== null && BITMAPS.has(codec)) return 'bitmap'
  const format = subtitleFormat(codec)
  if (format === undefined) return undefined
  return format === 'ass' ? 'styled' : 'text'
}

export function burnInOf({ stream }: BurntSubtitle, media: MediaDescription, track: VideoTrack): BurnIn {
  if (stream === null) return { type: 'text' }
  const isTurned = track.rotation % 180 !== 0
  const [width, height] = isTurned ? [track.height, track.width] : [track.width, track.height]
  return { type: 'bitmap', stream, clock: clockOf(media, track), width, height, matrix: matrixOf(track) }
}

/** Audio, since its packets arrive in the order of their times; the smallest track, since it is decoded. */
function clockOf({ audio }: MediaDescription, { stream }: VideoTrack): Extract<BurnIn, { readonly type: 'bitmap' }>['clock'] {
  const [smallest] = audio.toSorted((a, b) => (a.bitrateBps ?? Infinity) - (b.bitrateBps ?? Infinity) || a.stream - b.stream)
  return smallest ? { type: 'audio', stream: smallest.stream } : { type: 'video', stream }
}

function matrixOf(track: VideoTrack): ColourMatrix {
  if (track.colorTransfer === 'smpte2084' || track.colorTransfer === 'arib-std-b67') return 'bt709'
  if (track.colorSpace !== null) return STANDARD_MATRICES.has(track.colorSpace) ? 'bt601' : 'bt709'
  return addedMatrix(track) ?? usualMatrix(track)
}
