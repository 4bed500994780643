/**
 * Finds the keyframes from which a run can copy or decode video without the group of pictures before them. Any other run reads from an
 * earlier keyframe, and drops up to a whole group that nobody sees.
 */
import type { MediaTimes } from './media-times.ts'

/**
 * How far after a keyframe a seek must aim to land on it. If frames are reordered, ffmpeg goes 3/23 s (130 ms) further back in Matroska
 * (`open_input_file` of ffmpeg_opt.c in 5.1, `ifile_open` of ffmpeg_demux.c in 7.0).
 */
export const LANDING_AIM_MS = 150

/** The next keyframe is not before this, so that no seek lands on it; decoding a shorter group takes little time. */
const LEAST_GROUP_MS = 1_000

/** On the output timeline, increasing. */
export function landingsOf(times: MediaTimes | undefined): readonly number[] {
  if (times?.landsOnKeyframes !== true) return []
  const { keyframesMs, keyframeLeadsMs, keyframeKinds } = times
  // A frame before 0 is decoded but not shown.
  if ((keyframesMs[0] ?? 0) < 0) return []
  return keyframesMs.filter((atMs, index) => {
    const isClosed = (keyframeKinds?.[index] ?? 'closed') === 'closed' && (keyframeLeadsMs?.[index] ?? 0) === 0
    return isClosed && (keyframesMs[index + 1] ?? Infinity) >= atMs + LEAST_GROUP_MS
  })
}
