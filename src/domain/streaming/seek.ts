/**
 * Where a run that shall begin with a segment starts to read. Landing early is safe, since what comes before is dropped; landing
 * late loses pictures.
 */
import { startOf, TOLERANCE_MS } from './segment-grid.ts'
import type { StreamPlan } from './plan.ts'
import type { Rendition } from './rendition.ts'
import { keyframeUpTo, SCAN_BACK_MS } from './seek-behaviour.ts'

/** Before sound: the encoder's run-up and the demuxer's rounding. */
const AUDIO_RUN_UP_MS = 1_100
/** Between keyframes, where they are not known. */
const UNKNOWN_DISTANCE_MS = 12_000
/** A deinterlacer wants the pictures before the first one. */
const DEINTERLACE_RUN_UP_MS = 200

/** A timestamp of the file, in milliseconds; null is its start. */
export function seekFor(plan: StreamPlan, rendition: Rendition, segment: number): number | null {
  const { output, grid } = rendition
  const startMs = startOf(grid, segment)
  if (output.type === 'copy-video') {
    // The boundary before the wanted one: a seek exactly to an open-GOP keyframe spoils the pictures that lead it.
    return segment <= 1 ? null : backFrom(plan, startOf(grid, segment - 1))
  }
  if (output.type !== 'encode-video') return backFrom(plan, startMs - AUDIO_RUN_UP_MS)
  if (segment === 0) return null
  const wantedMs = startMs - TOLERANCE_MS - (output.deinterlace ? DEINTERLACE_RUN_UP_MS : 0)
  return backFrom(plan, plan.seeking === 'indexed' ? wantedMs : keyframeBefore(plan, wantedMs))
}

function backFrom(plan: StreamPlan, atMs: number): number | null {
  const fromMs = plan.seeking === 'indexed' ? atMs : atMs - SCAN_BACK_MS
  return fromMs <= 0 ? null : plan.zeroMs + fromMs
}

/** The last keyframe up to a moment; without an index, far enough back for the longest usual distance. */
function keyframeBefore({ keyframesMs }: StreamPlan, atMs: number): number {
  if (keyframesMs.length === 0) return atMs - UNKNOWN_DISTANCE_MS
  return keyframeUpTo(keyframesMs, atMs)
}
