/**
 * Computes when each group of pictures starts to be shown. A copy does not divide groups, so the frames that lead a keyframe (open
 * groups) are in its segment, and the segment starts with them.
 */
import type { MediaTimes } from './media-times.ts'

/**
 * Times in the order of the keyframes. A group that would start before the previous keyframe is damaged: it counts from its own keyframe.
 */
export function groupStartsMs({ keyframesMs, keyframeLeadsMs }: MediaTimes): readonly number[] {
  if (!keyframeLeadsMs) return keyframesMs
  return keyframesMs.map((atMs, index) => {
    const startMs = atMs - (keyframeLeadsMs[index] ?? 0)
    return startMs > (keyframesMs[index - 1] ?? -Infinity) + LEAST_GROUP_MS ? startMs : atMs
  })
}

/** Larger than the rounding of container timestamps. */
const LEAST_GROUP_MS = 5
