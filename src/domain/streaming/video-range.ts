/** Determines the dynamic range of a video from its track's transfer; Dolby Vision states it if the track does not. */
import type { VideoTrack } from '../../vocabulary/media-description.ts'
import { baseLayerOf, type BaseLayer } from './dolby-vision.ts'

export type VideoRange = 'SDR' | 'PQ' | 'HLG'

const RANGES: Readonly<Record<BaseLayer, VideoRange>> = { none: 'PQ', hdr10: 'PQ', hlg: 'HLG', sdr: 'SDR' }

export function rangeOf(track: VideoTrack): VideoRange {
  const base = baseLayerOf(track)
  if (base === 'none') return 'PQ'
  if (track.colorTransfer === 'smpte2084') return 'PQ'
  if (track.colorTransfer === 'arib-std-b67') return 'HLG'
  return base && track.colorTransfer === null ? RANGES[base] : 'SDR'
}
