/** Describes where a demuxer lands when it seeks, and how far before the target it has to start. */
import type { MediaDescription } from '../../vocabulary/media-description.ts'

/** On keyframes by an index, or anywhere. */
export type SeekBehaviour = 'indexed' | 'scanned'

/** Containers without a keyframe index: a seek lands anywhere. */
const SCANNED_CONTAINERS = new Set(['mpegts', 'mpeg', 'mpegps'])
/** A demuxer without an index lands on any packet; its decoder waits for the next keyframe. */
export const SCAN_BACK_MS = 1_000

export function seekBehaviourOf({ container }: Pick<MediaDescription, 'container'>): SeekBehaviour {
  return SCANNED_CONTAINERS.has(container) ? 'scanned' : 'indexed'
}

/** The last keyframe up to a time; the film's zero if there is none. */
export function keyframeUpTo(keyframesMs: readonly number[], atMs: number): number {
  return keyframesMs.findLast((keyframeMs) => keyframeMs <= atMs) ?? 0
}
