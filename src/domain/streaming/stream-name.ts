/**
 * Parses names in stream URLs with anchored patterns into enums and integers. Any other name is rejected; no text from a URL ever becomes
 * part of a path or of an argument.
 */
import { RESOLUTIONS, type Resolution } from '../../vocabulary/resolution.ts'

export type Quality =
  | { readonly type: 'original' }
  | { readonly type: 'rung'; readonly resolution: Resolution }
  | { readonly type: 'audio'; readonly index: number; readonly form: AudioForm }

/** `copy` is the original, `aac` at most stereo, `aac51` six channels. */
export type AudioForm = 'copy' | 'aac' | 'aac51'

export type QualityFile =
  | { readonly type: 'playlist' }
  | { readonly type: 'iframe-playlist' }
  | { readonly type: 'init' }
  | { readonly type: 'segment'; readonly segment: number }
  | { readonly type: 'iframe'; readonly segment: number }

export type SubtitleFile =
  | { readonly type: 'whole'; readonly index: number }
  | { readonly type: 'playlist'; readonly index: number }
  | { readonly type: 'piece'; readonly index: number; readonly piece: number }

export type TrickplayFile =
  | { readonly type: 'vtt' }
  | { readonly type: 'plan' }
  | { readonly type: 'playlist'; readonly width: number }
  | { readonly type: 'sheet'; readonly width: number; readonly sheet: number }

const AUDIO = /^audio-(0|[1-9]\d{0,2})(?:-(aac|aac51))?$/
const SEGMENT = /^(seg|iframe)-(0|[1-9]\d{0,5})\.m4s$/
const SUBTITLE = /^(0|[1-9]\d{0,2})(?:-(0|[1-9]\d{0,5}))?\.(vtt|m3u8)$/
const TRICKPLAY = /^([1-9]\d{1,3})(?:\.m3u8|-(0|[1-9]\d{0,3})\.jpg)$/

export function parseQuality(text: string): Quality | undefined {
  if (text === 'original') return { type: 'original' }
  const resolution = RESOLUTIONS.find((name) => name === text)
  if (resolution) return { type: 'rung', resolution }
  const audio = AUDIO.exec(text)
  if (!audio) return undefined
  const form = audio[2] === 'aac' || audio[2] === 'aac51' ? audio[2] : 'copy'
  return { type: 'audio', index: Number(audio[1]), form }
}

export function parseQualityFile(text: string): QualityFile | undefined {
  if (text === 'playlist.m3u8') return { type: 'playlist' }
  if (text === 'iframes.m3u8') return { type: 'iframe-playlist' }
  if (text === 'init.mp4') return { type: 'init' }
  const segment = SEGMENT.exec(text)
  return segment ? { type: segment[1] === 'seg' ? 'segment' : 'iframe', segment: Number(segment[2]) } : undefined
}

export function parseSubtitleFile(text: string): SubtitleFile | undefined {
  const match = SUBTITLE.exec(text)
  if (!match) return undefined
  const index = Number(match[1])
  if (match[2] !== undefined) return match[3] === 'vtt' ? { type: 'piece', index, piece: Number(match[2]) } : undefined
  return match[3] === 'vtt' ? { type: 'whole', index } : { type: 'playlist', index }
}

export function parseTrickplayFile(text: string): TrickplayFile | undefined {
  if (text === 'thumbnails.vtt') return { type: 'vtt' }
  if (text === 'plan.json') return { type: 'plan' }
  const match = TRICKPLAY.exec(text)
  if (!match) return undefined
  const width = Number(match[1])
  return match[2] === undefined ? { type: 'playlist', width } : { type: 'sheet', width, sheet: Number(match[2]) }
}

export function qualityName(quality: Quality): string {
  if (quality.type === 'original') return 'original'
  if (quality.type === 'rung') return quality.resolution
  return quality.form === 'copy' ? `audio-${quality.index}` : `audio-${quality.index}-${quality.form}`
}
