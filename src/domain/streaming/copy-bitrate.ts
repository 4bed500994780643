/** Computes the peak bit rate of a copied video before it is read, if the film's index gives the positions of its keyframes. */
import type { MediaDescription } from '../../vocabulary/media-description.ts'
import type { MediaTimes } from './media-times.ts'
import { groupStartsMs } from './gop.ts'
import { segmentCount, startOf, type Grid } from './segment-grid.ts'

/**
 * Uses a grid whose segments start at keyframes: the bytes from one start to the next, minus the average of the audio in between. Undefined
 * if no two neighbouring positions are known.
 */
export function copiedPeakBps({ audio, bitrateBps, durationMs }: MediaDescription, times: MediaTimes, grid: Grid): number | undefined {
  const { keyframeOffsets } = times
  if (!keyframeOffsets) return undefined
  const startsMs = groupStartsMs(times)
  const offsets = new Map(startsMs.map((ms, index) => [ms, keyframeOffsets[index] ?? undefined]))
  // The first segment starts at zero but contains the first keyframe, however late that is.
  const offsetAt = (segment: number): number | undefined => offsets.get(segment === 0 ? (startsMs[0] ?? 0) : startOf(grid, segment))
  const fileBytes = bitrateBps === null ? undefined : (bitrateBps * durationMs) / 8_000
  const count = segmentCount(grid)
  let peakBps = 0
  for (let segment = 0; segment < count; segment++) {
    const [from, to] = [offsetAt(segment), segment + 1 < count ? offsetAt(segment + 1) : fileBytes]
    const ms = startOf(grid, segment + 1) - startOf(grid, segment)
    if (from !== undefined && to !== undefined && ms > 0) peakBps = Math.max(peakBps, ((to - from) * 8_000) / ms)
  }
  if (peakBps === 0) return undefined
  return peakBps - audio.reduce((sum, { bitrateBps }) => sum + (bitrateBps ?? 0), 0)
}
