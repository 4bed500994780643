/**
 * Chooses where a copied video is cut: at closed keyframes if there are enough of them, so that a player that seeks needs no frame
 * before its segment; else at all keyframes.
 */
import type { MediaTimes } from './media-times.ts'
import { copyGrid, longestSegmentMs, startOf, segmentCount, type Grid } from './segment-grid.ts'
import { groupStartsMs } from './gop.ts'

export interface CopyCuts {
  readonly grid: Grid
  /** Whether every segment starts with a closed keyframe. */
  readonly areIndependent: boolean
  /** Whether the first frame of every segment can be decoded by itself. */
  readonly standAlone: boolean
}

/**
 * Maximum length of segments between closed keyframes, unless those of all keyframes are as long: a player waits for each complete segment.
 */
const MOST_MS = 12_000

export function copyCuts(times: MediaTimes, durationMs: number): CopyCuts {
  const { keyframeKinds } = times
  const groupsMs = groupStartsMs(times)
  const all = copyGrid(groupsMs, durationMs)
  if (!keyframeKinds) return { grid: all, areIndependent: true, standAlone: true }
  const closed = copyGrid(
    groupsMs.filter((_, index) => index === 0 || keyframeKinds[index] === 'closed'),
    durationMs,
  )
  const grid = longestSegmentMs(closed) <= Math.max(MOST_MS, longestSegmentMs(all)) ? closed : all
  const kinds = new Map(groupsMs.map((ms, index) => [ms, keyframeKinds[index] ?? 'unclear']))
  const cuts = Array.from({ length: segmentCount(grid) }, (_, segment) =>
    kinds.get(segment === 0 ? (groupsMs[0] ?? 0) : startOf(grid, segment)),
  )
  return {
    grid,
    areIndependent: cuts.every((kind) => kind === 'closed'),
    standAlone: cuts.every((kind) => kind === 'closed' || kind === 'open'),
  }
}
