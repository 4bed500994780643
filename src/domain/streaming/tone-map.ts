/**
 * Tone map: the colours that video is converted from, to those of every screen (BT.709), and the tone-mapper. All values are explicit,
 * since a file that omits some is decoded to frames that omit them too.
 */
import { TONE_MAPPERS, USUAL_MAPPER, type ToneMapper, type ToneMapping } from '../../vocabulary/tone-mapper.ts'
import type { VideoTrack } from '../../vocabulary/media-description.ts'
import { needsEnhancement } from './dolby-vision.ts'
import { rangeOf, type VideoRange } from './video-range.ts'

/** ffmpeg's names. Its filters accept all of them with any of these transfers, except ICtCp, which is for HDR only. */
export const PRIMARIES = ['bt709', 'bt470bg', 'smpte170m', 'bt2020', 'smpte431', 'smpte432'] as const
export const MATRICES = ['bt709', 'bt470bg', 'smpte170m', 'bt2020nc', 'ictcp'] as const
export const TRANSFERS = ['pq', 'hlg', 'sdr'] as const

/** A type, not an interface, since it travels as JSON. */
export type ToneMap = {
  readonly by: ToneMapping
  readonly transfer: (typeof TRANSFERS)[number]
  readonly primaries: (typeof PRIMARIES)[number]
  readonly matrix: (typeof MATRICES)[number]
  readonly isFullRange: boolean
  /** Luminance of the film's brightest light. */
  readonly peakNits: number
}

/** The container's data about a film's light, cd/m2. */
export interface Light {
  readonly contentLight?: { readonly peakNits: number } | null
  readonly mastering?: { readonly mostNits: number } | null
}

/** Assumed if a film states no peak or an impossible one: with a mistaken unit all of the video would become white. */
const USUAL_PEAK_NITS = 1_000
export const [LEAST_PEAK_NITS, MOST_PEAK_NITS] = [200, 10_000]

const TRANSFER_OF: Readonly<Record<VideoRange, ToneMap['transfer']>> = { PQ: 'pq', HLG: 'hlg', SDR: 'sdr' }
/** Primaries that SDR screens do not have. */
const WIDE: ReadonlySet<string> = new Set(['bt2020', 'smpte431', 'smpte432'])

/**
 * Null for video with the colours of every screen. Dolby Vision without a base layer needs a mapper that knows it, or is not mapped at
 * all: other mappers show green and purple.
 */
export function toneMapOf(track: VideoTrack, mapping: ToneMapping = USUAL_MAPPER, light?: Light | null): ToneMap | null {
  const transfer = TRANSFER_OF[rangeOf(track)]
  if (transfer === 'sdr' && (mapping === 'none' || !WIDE.has(track.colorPrimaries ?? ''))) return null
  return {
    by: needsEnhancement(track) ? 'libplacebo' : mapping,
    transfer,
    primaries: PRIMARIES.find((one) => one === track.colorPrimaries) ?? 'bt2020',
    matrix: MATRICES.find((one) => one === track.colorSpace && (one !== 'ictcp' || transfer !== 'sdr')) ?? 'bt2020nc',
    isFullRange: track.colorRange === 'pc',
    peakNits: transfer === 'pq' ? peakOf(light) : USUAL_PEAK_NITS,
  }
}

function peakOf(light: Light | null | undefined): number {
  const declared = [light?.contentLight?.peakNits, light?.mastering?.mostNits].map((nits) => Math.round(nits ?? 0))
  return declared.find((nits) => nits >= LEAST_PEAK_NITS && nits <= MOST_PEAK_NITS) ?? USUAL_PEAK_NITS
}

/** Part of a rendition's key. */
export function toneMapName(toneMap: ToneMap | null): string {
  if (!toneMap) return ''
  return toneMap.by === 'zscale' && toneMap.peakNits !== USUAL_PEAK_NITS ? `-zscale${toneMap.peakNits}` : `-${toneMap.by}`
}

/** The tone-mapper that an agent needs for it. */
export const mapperOf = (toneMap: ToneMap | null): ToneMapper | null => (toneMap && toneMap.by !== 'none' ? toneMap.by : null)

/** The tone-mapping for a new session's video, given each agent's mappers. If no agent is known, the usual mapper is assumed. */
export function preferredToneMapping(agents: readonly (readonly ToneMapper[])[]): ToneMapping {
  return agents.length === 0 ? USUAL_MAPPER : (TONE_MAPPERS.find((mapper) => agents.some((had) => had.includes(mapper))) ?? 'none')
}
