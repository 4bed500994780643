/**
 * Chooses the thumbnail for each ten seconds of a film. It is the keyframe nearest to the start of the interval, if there is one from
 * a second before it on; else the frame shown at the start. So each frame lies in its interval, except for that second, and no two
 * intervals show the same one.
 */
import type { MediaDescription, VideoTrack } from '../../vocabulary/media-description.ts'
import type { MediaTimes } from './media-times.ts'
import { displaySize } from './ladder.ts'
import { keyframeUpTo, SCAN_BACK_MS, seekBehaviourOf } from './seek-behaviour.ts'

/** Values that players of all kinds accept: Roku and Shaka expect complete sheets. */
export const TRICKPLAY = { intervalMs: 10_000, width: 320, columns: 10, rows: 10 } as const

/** A keyframe up to this long before an interval can represent it. */
export const EARLY_MS = 1_000
/** A longer remainder after a film's last whole interval gets a thumbnail of its own. */
const LEAST_TAIL_MS = 1_000
/** Video that ends this much before the film is not short but damaged. */
const MOST_TAIL_MS = 10_000
/** Containers round times to milliseconds. */
const SAME_MS = 2
/** More than a day: not a film but a forgotten recording. */
const THUMBNAILS_MAX = 10_000
/** Of one thumbnail; a taller one is squeezed. */
const HEIGHT_MAX = 1_000
/** With more keyframes per thumbnail than this, decoding all of them takes longer than a seek for each thumbnail. */
const KEYFRAMES_PER_THUMBNAIL_MAX = 40
/** Containers that state when each frame is shown. In others a decoder that skips frames guesses wrongly. */
const TIMED_CONTAINERS = new Set(['mp4', 'mov', 'm4v', 'matroska', 'webm', 'mpegts'])

export interface TrickplayWork {
  readonly track: VideoTrack
  /** Zero of the film as a timestamp of the file; all other times are counted from it. */
  readonly zeroMs: number
  readonly thumbnails: number
  readonly width: number
  readonly height: number
  /** Whether to read through all keyframes; else each thumbnail needs a seek. */
  readonly readsThrough: boolean
  readonly keyframesMs: readonly number[]
  readonly seeksByScan: boolean
  readonly videoStartMs: number
}

/** Undefined for a film without video, with partial video, or without an end. */
export function trickplayWork(media: MediaDescription, times: MediaTimes): TrickplayWork | undefined {
  const [track] = media.video
  const { zeroMs, keyframesMs, videoStartMs, videoEndMs } = times
  const thumbnails = thumbnailCount(Math.min(videoEndMs, media.durationMs))
  if (!track || thumbnails > THUMBNAILS_MAX || media.durationMs - videoEndMs > MOST_TAIL_MS) return undefined
  if (!(displaySize(track).width > 0)) return undefined
  const covered = new Set(keyframesMs.map(intervalOf)).size
  const isDense = keyframesMs.length > thumbnails * KEYFRAMES_PER_THUMBNAIL_MAX
  return {
    track,
    zeroMs,
    thumbnails,
    ...sizeOf(displaySize(track)),
    readsThrough: TIMED_CONTAINERS.has(media.container) && !isDense && covered * 2 >= thumbnails,
    keyframesMs,
    seeksByScan: seekBehaviourOf(media) === 'scanned',
    videoStartMs,
  }
}

function thumbnailCount(endMs: number): number {
  return Math.max(1, Math.ceil((endMs - LEAST_TAIL_MS) / TRICKPLAY.intervalMs))
}

function sizeOf({ width, height }: { readonly width: number; readonly height: number }) {
  const even = 2 * Math.round((TRICKPLAY.width * height) / width / 2)
  return { width: TRICKPLAY.width, height: Math.min(HEIGHT_MAX, Math.max(2, even)) }
}

export const startOfInterval = (interval: number): number => interval * TRICKPLAY.intervalMs

/** The interval that a frame may represent. */
export function intervalOf(ptsMs: number): number {
  return Math.max(0, Math.floor((ptsMs + EARLY_MS) / TRICKPLAY.intervalMs))
}

/** Whether a frame fits an interval better than the previous candidate. */
export function isNearer(interval: number, ptsMs: number, beforeMs: number): boolean {
  return Math.abs(ptsMs - startOfInterval(interval)) < Math.abs(beforeMs - startOfInterval(interval))
}

/** Whether a decoded frame is a known and visible keyframe: its time is then certain. */
export function isKeyframe({ keyframesMs }: Pick<TrickplayWork, 'keyframesMs'>, ptsMs: number): boolean {
  if (ptsMs < -SAME_MS) return false
  let [low, high] = [0, keyframesMs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keyframesMs[middle] ?? Infinity) < ptsMs - SAME_MS) low = middle + 1
    else high = middle
  }
  return (keyframesMs[low] ?? Infinity) <= ptsMs + SAME_MS
}

/** The time from which the frame of an interval is searched, and where reading starts; null: at the film's start. */
export interface Grab {
  readonly fromMs: number
  readonly seekMs: number | null
}

export function grabFor(work: Pick<TrickplayWork, 'keyframesMs' | 'seeksByScan'>, interval: number): Grab {
  const fromMs = startOfInterval(interval)
  const backMs = work.seeksByScan ? keyframeUpTo(work.keyframesMs, fromMs) - SCAN_BACK_MS : fromMs
  return { fromMs, seekMs: backMs > 0 ? backMs : null }
}

/** Whether a found frame belongs to the interval; the first frame also represents the intervals before it. */
export function standsFor(interval: number, ptsMs: number, { videoStartMs }: Pick<TrickplayWork, 'videoStartMs'>): boolean {
  const isFirst = Math.abs(ptsMs - videoStartMs) <= SAME_MS && startOfInterval(interval) <= ptsMs
  return isFirst || intervalOf(ptsMs) === interval
}
