/** Seeking: where a demuxer lands when it looks for a moment of a film, and how far before it has to begin for that. */
import type { MediaDescription } from '../../vocabulary/media-description.ts'

/** On keyframes by an index, or anywhere. */
export type SeekBehaviour = 'indexed' | 'scanned'

/** Containers without an index of keyframes: a seek lands anywhere. */
const SCANNED_CONTAINERS = new Set(['mpegts', 'mpeg', 'mpegps'])
/** A demuxer without an index lands on any packet; its decoder waits for the next keyframe. */
export const SCAN_BACK_MS = 1_000

export function seekBehaviourOf({ container }: Pick<MediaDescription, 'container'>): SeekBehaviour {
  return SCANNED_CONTAINERS.has(container) ? 'scanned' : 'indexed'
}

/** The last keyframe up to a moment; the film's zero where none comes before. */
export function keyframeUpTo(keyframesMs: readonly number[], atMs: number): number {
  return keyframesMs.findLast((keyframeMs) => keyframeMs <= atMs) ?? 0
}
