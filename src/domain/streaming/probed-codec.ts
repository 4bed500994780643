/**
 * Codec string of a copied video before its bytes are available: profile and level as ffprobe names them. The bytes override it as soon
 * as there are any.
 */
import type { VideoTrack } from '../../vocabulary/media-description.ts'
import { probedH264Codec } from './h264-level.ts'

export function probedCodec(track: VideoTrack): string {
  const { codec, profile, level } = track
  const known = level !== null && level > 0 ? level : undefined
  const depth = twoDigits(track.bitDepth)
  switch (codec) {
    case 'hevc':
      return track.bitDepth > 8 ? `hvc1.2.4.L${known ?? HEVC_LEVEL}.B0` : `hvc1.1.6.L${known ?? HEVC_LEVEL}.B0`
    case 'av1':
      return `av01.0.${twoDigits(known ?? AV1_LEVEL)}M.${depth}`
    case 'vp9':
      return `vp09.0${/\d/.exec(profile ?? '')?.[0] ?? 0}.${known ?? VP9_LEVEL}.${depth}`
    default:
      return probedH264Codec(profile, level)
  }
}

/** Levels 4.0, 5.0 and 4.0 in the notation of each codec, if the file states none. */
const HEVC_LEVEL = 120
const AV1_LEVEL = 12
const VP9_LEVEL = 40

const twoDigits = (value: number): string => String(value).padStart(2, '0')
