/**
 * Computes where a run that starts with a segment begins to read. Landing early is safe, since earlier frames are dropped; landing late
 * loses frames.
 */
import { followsBeat } from './beats.ts'
import { LANDING_AIM_MS } from './landings.ts'
import { startOf, TOLERANCE_MS } from './segment-grid.ts'
import type { StreamPlan } from './plan.ts'
import type { Output, Rendition } from './rendition.ts'
import { keyframeUpTo, SCAN_BACK_MS } from './seek-behaviour.ts'

type VideoOutput = Extract<Output, { readonly type: 'copy-video' | 'encode-video' }>

/** For audio: the encoder's priming and the demuxer's rounding. */
const AUDIO_RUN_UP_MS = 1_100
/** Assumed distance between keyframes if they are unknown. */
const UNKNOWN_DISTANCE_MS = 12_000
/** A deinterlacer needs the frames before the first one. */
const DEINTERLACE_RUN_UP_MS = 200

/** A timestamp of the file, in milliseconds; null is its start. */
export function seekFor(plan: StreamPlan, rendition: Rendition, segment: number): number | null {
  const { output, grid } = rendition
  const startMs = startOf(grid, segment)
  if (output.type !== 'copy-video' && output.type !== 'encode-video') return backFrom(plan, startMs - AUDIO_RUN_UP_MS)
  if (segment === 0) return null
  const landingMs = landingAt(plan, output, startMs)
  // Otherwise ffmpeg would read all from the keyframe before.
  if (landingMs !== undefined) return plan.zeroMs + landingMs + LANDING_AIM_MS
  if (output.type === 'copy-video') {
    // Use the boundary before the wanted one: a seek exactly to an open-GOP keyframe damages the frames that lead it.
    return segment === 1 ? null : backFrom(plan, startOf(grid, segment - 1))
  }
  const wantedMs = startMs - TOLERANCE_MS - (plan.isInterlaced ? DEINTERLACE_RUN_UP_MS : 0)
  return backFrom(plan, plan.seeking === 'indexed' ? wantedMs : keyframeBefore(plan, wantedMs))
}

/** The keyframe that the segment starts with, if the run needs nothing before it. */
function landingAt({ landingsMs, zeroMs, isInterlaced }: StreamPlan, output: VideoOutput, startMs: number): number | undefined {
  const landingMs = landingsMs.find((atMs) => Math.abs(atMs - startMs) < TOLERANCE_MS)
  if (landingMs === undefined || output.type === 'copy-video') return landingMs
  return isInterlaced || followsBeat(zeroMs + landingMs) ? undefined : landingMs
}

function backFrom(plan: StreamPlan, atMs: number): number | null {
  const fromMs = atMs - (plan.seeking === 'indexed' ? plan.landsLateMs : SCAN_BACK_MS)
  return fromMs <= plan.seekableFromMs ? null : plan.zeroMs + fromMs
}

/** The last keyframe up to a time; without an index, far enough back for the longest usual distance. */
function keyframeBefore({ keyframesMs }: StreamPlan, atMs: number): number {
  if (keyframesMs.length === 0) return atMs - UNKNOWN_DISTANCE_MS
  return keyframeUpTo(keyframesMs, atMs)
}
