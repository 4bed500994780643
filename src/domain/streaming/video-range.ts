/** Range of a picture's brightness, by the transfer that its track names. */
import type { VideoTrack } from '../../events/media-description.ts'

export type VideoRange = 'SDR' | 'PQ' | 'HLG'

export function rangeOf({ colorTransfer }: VideoTrack): VideoRange {
  if (colorTransfer === 'smpte2084') return 'PQ'
  return colorTransfer === 'arib-std-b67' ? 'HLG' : 'SDR'
}
