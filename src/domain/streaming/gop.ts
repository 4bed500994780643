/**
 * Groups of pictures: where each begins to be shown. A group is not divided when it is copied, so the pictures that lead its
 * keyframe (open groups) are in its segment, and the segment begins with them.
 */
import type { FilmTimes } from './film-times.ts'

/**
 * Times in the order of the keyframes. A group that would begin before the keyframe of the one before it is damaged: it counts from
 * its own keyframe.
 */
export function groupStartsMs({ keyframesMs, keyframeLeadsMs }: FilmTimes): readonly number[] {
  if (!keyframeLeadsMs) return keyframesMs
  return keyframesMs.map((atMs, index) => {
    const startMs = atMs - (keyframeLeadsMs[index] ?? 0)
    return startMs > (keyframesMs[index - 1] ?? -Infinity) + LEAST_GROUP_MS ? startMs : atMs
  })
}

/** More than what container timestamps are rounded by. */
const LEAST_GROUP_MS = 5
