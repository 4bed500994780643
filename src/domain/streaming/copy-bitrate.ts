/** Peak rate of a picture that is copied: known before it is read where the film's index tells where its keyframes lie. */
import type { MediaDescription } from '../../vocabulary/media-description.ts'
import type { FilmTimes } from './film-times.ts'
import { groupStartsMs } from './gop.ts'
import { segmentCount, startOf, type Grid } from './segment-grid.ts'

/**
 * Of the segments of a grid that begins them at keyframes: the bytes from one to the next, less what the sound between them takes
 * on average. Undefined where no two neighbours are known.
 */
export function copiedPeakBps({ audio, bitrateBps, durationMs }: MediaDescription, times: FilmTimes, grid: Grid): number | undefined {
  const { keyframeOffsets } = times
  if (!keyframeOffsets) return undefined
  const startsMs = groupStartsMs(times)
  const offsets = new Map(startsMs.map((ms, index) => [ms, keyframeOffsets[index] ?? undefined]))
  // A boundary of zero that is no keyframe's is that of the first keyframe, however late.
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
