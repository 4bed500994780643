/**
 * Turns the fragments of one run into whole segments, cut at the rendition's absolute boundaries. Fragments before the first wanted
 * segment are dropped.
 */
import type { Grid } from '../src/domain/streaming/segment-grid.ts'
import type { Fragment } from './fragment.ts'

export type Cut =
  | { readonly type: 'segment'; readonly segment: number; readonly bytes: Uint8Array }
  /** The film has no content for these segments. */
  | { readonly type: 'missing'; readonly from: number; readonly through: number }

export interface Segmenter {
  push(fragment: Fragment): readonly Cut[]
  /** The run has reached the film's end. */
  end(): readonly Cut[]
}

export interface SegmenterOptions {
  /** Ticks a second in the track's times. */
  readonly timescale: number
  /** Zero of the output timeline as a timestamp of the file. */
  readonly zeroMs: number
  readonly grid: Grid
  /** Segments before this one are dropped. */
  readonly startSegment: number
}

export function ticksOf({ timescale }: Pick<SegmenterOptions, 'timescale'>, ms: number): number {
  return Math.round((ms * timescale) / 1000)
}

/** Containers with millisecond times are off by up to half a millisecond, both here and at the origin. */
export const ROUNDING_MS = 1.5

/** Snaps a time to a regular beat if it is off by rounding only, so that a run's output does not show the container's rounding. */
export function onBeat(pts: number, beat: { readonly start: number; readonly ticks: number; readonly tolerance: number }): number {
  const near = Math.round(beat.start + Math.round((pts - beat.start) / beat.ticks) * beat.ticks)
  return Math.abs(near - pts) <= beat.tolerance ? near : pts
}
