/** Estimates the overhead of fragmented MP4 per track. It is small for a full-size video, but large for a small one with many frames. */
import { segmentCount, type Grid } from './segment-grid.ts'

/** Per sample in a `trun`: duration, size, flags, composition offset. */
const SAMPLE_BYTES = 16
/** `styp`, `moof` without its samples, and the head of `mdat`. */
const SEGMENT_BYTES = 120

/** Average bits per second of a track with this sample rate. */
export function containerBps(samplesPerSecond: number, grid: Grid): number {
  const segmentsPerSecond = (segmentCount(grid) * 1000) / Math.max(1, grid.endMs)
  return Math.ceil(8 * (SAMPLE_BYTES * samplesPerSecond + SEGMENT_BYTES * segmentsPerSecond))
}
