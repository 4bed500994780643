/** Determines which films may have interlaced frames: many state it in each frame alone, and a recording may change on the way. */
import type { VideoTrack } from '../../vocabulary/media-description.ts'

/** Codecs whose frames say whether they are interlaced. Those of HEVC are single fields, which are not woven into frames. */
const FLAGGED: ReadonlySet<string> = new Set([
  'h264',
  'mpeg2video',
  'mpeg4',
  'vc1',
  'dvvideo',
  'prores',
  'dnxhd',
  'ffv1',
  'mjpeg',
  'utvideo',
])
/** Other formats would be converted for the deinterlacer. */
const DEINTERLACEABLE = /^(?:yuvj?|gray)(?!.*be$)/
/** Such tracks are interlaced as a rule, and none of their containers states it. */
const UNSTATED = 'dvvideo'

/** Whether to deinterlace the frames that say that they are interlaced. The deinterlacer passes on all others as they are. */
export function mayBeInterlaced(track: VideoTrack): boolean {
  return track.interlaced || (FLAGGED.has(track.codec) && DEINTERLACEABLE.test(track.pixelFormat ?? ''))
}

/** Whether the film begins interlaced. */
export const isInterlaced = (track: VideoTrack): boolean => track.interlaced || track.codec === UNSTATED
