/** Subtitles that are drawn into the picture: which can be, and what that makes of a rendition. */
import type { MediaDescription, SubtitleTrack, VideoTrack } from '../../vocabulary/media-description.ts'
import { subtitleFormat } from '../../vocabulary/subtitle-format.ts'
import { displaySize } from './ladder.ts'

/** `bitmap`: pictures, which nothing else shows; `styled`: text with fonts and places of its own; `text`: words. */
export const BURNABLE_KINDS = ['bitmap', 'styled', 'text'] as const
export type BurnableKind = (typeof BURNABLE_KINDS)[number]

/** A subtitle that can be drawn into the picture; `index` as in URLs. */
export interface BurnableSubtitle {
  readonly index: number
  readonly language: string | null
  readonly title: string | null
  readonly forced: boolean
  readonly default: boolean
  readonly kind: BurnableKind
}

/** What an agent is to draw. Types, not interfaces, since they travel as JSON. */
export type BurnIn =
  | {
      readonly type: 'bitmap'
      /** Index of the stream in the film. */
      readonly stream: number
      /** The track that tells how far the film has been read, since a subtitle may be minutes from the next. */
      readonly clock: { readonly type: 'audio' | 'video'; readonly stream: number }
      /** Of the film's own picture, turned for display: a subtitle whose canvas is as large covers all of it. */
      readonly width: number
      readonly height: number
      /** How colours become luma and chroma in the film. */
      readonly matrix: 'bt601' | 'bt709'
    }
  /** The text comes beside the job, in its parcel. */
  | { readonly type: 'text' }

/** The subtitle that a session wants in its picture. */
export interface BurntSubtitle {
  /** What sets it apart from every other subtitle of the film, in this version of it. Letters, digits and dashes. */
  readonly key: string
  /** Index of its stream where it is made of pictures; else null. */
  readonly stream: number | null
}

const BITMAPS: ReadonlySet<string> = new Set(['hdmv_pgs_subtitle', 'dvd_subtitle', 'dvb_subtitle', 'xsub'])
/** Pictures of more lines are meant for the colours of high definition, where they do not say. */
const STANDARD_LINES = 576
const STANDARD_MATRICES: ReadonlySet<string> = new Set(['smpte170m', 'bt470bg', 'fcc'])

/** Undefined for what cannot be drawn. */
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

/** Sound, since its packets come in the order of their times; the smallest, since it is decoded. */
function clockOf({ audio }: MediaDescription, { stream }: VideoTrack): Extract<BurnIn, { readonly type: 'bitmap' }>['clock'] {
  const [smallest] = audio.toSorted((a, b) => (a.bitrateBps ?? Infinity) - (b.bitrateBps ?? Infinity) || a.stream - b.stream)
  return smallest ? { type: 'audio', stream: smallest.stream } : { type: 'video', stream }
}

function matrixOf(track: VideoTrack): 'bt601' | 'bt709' {
  if (track.colorSpace === 'bt709' || track.colorTransfer === 'smpte2084' || track.colorTransfer === 'arib-std-b67') return 'bt709'
  if (track.colorSpace !== null && STANDARD_MATRICES.has(track.colorSpace)) return 'bt601'
  const { width, height } = displaySize(track)
  return Math.min(width, height) > STANDARD_LINES ? 'bt709' : 'bt601'
}
