/** Container rate: what fragmented MP4 adds to a track's own bytes. Little to a film's picture, much to a small one of many frames. */
import { segmentCount, type Grid } from './segment-grid.ts'

/** Of each sample in a `trun`: its length in time and in bytes, its flags, its composition offset. */
const SAMPLE_BYTES = 16
/** `styp`, all of `moof` but its samples, and the head of `mdat`. */
const SEGMENT_BYTES = 120

/** Bits a second of a track with so many samples a second, on average. */
export function containerBps(samplesPerSecond: number, grid: Grid): number {
  const segmentsPerSecond = (segmentCount(grid) * 1000) / Math.max(1, grid.endMs)
  return Math.ceil(8 * (SAMPLE_BYTES * samplesPerSecond + SEGMENT_BYTES * segmentsPerSecond))
}
