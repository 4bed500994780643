/**
 * Times of a film from a container's own tables, in whole microseconds of the container's clock as ffprobe prints them, and the index made
 * from them.
 */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { MediaIndex } from '../../ports/media.ts'

export interface TrackTimes {
  readonly keyframes: readonly Keyframe[]
  /** The first video and the first audio shown, in the order of the file. */
  readonly videoStartUs: number
  readonly audioStartUs: number | undefined
  readonly videoEndUs: number
  /** The highest frame rate among the groups examined; undefined if none was. */
  readonly framesPerSecond?: number | undefined
  /** As in `MediaIndex`. */
  readonly landsOnKeyframes?: boolean
  readonly landsLateUs?: number
}

/** A boundary's tolerance, and the rounding of container timestamps. */
const ONE_TIME_US = 2_000

/** Whether frames so far apart count as shown at one time. */
export const isOneTime = (gapUs: number): boolean => gapUs < ONE_TIME_US

export interface Keyframe {
  readonly atUs: number
  /** Offset of its packet; null if the container does not provide it. */
  readonly offset: number | null
  /** Presentation time of the first frame of its group: its own time, or an earlier one if it has leading frames. */
  readonly groupUs: number
}

/** Increasing and without duplicates, from the film's zero. */
export function indexFromTimes(times: TrackTimes): MediaIndex {
  const { keyframes, videoStartUs, audioStartUs, videoEndUs, framesPerSecond, landsOnKeyframes, landsLateUs = 0 } = times
  const zeroUs = Math.min(videoStartUs, audioStartUs ?? Infinity)
  const fromZero = (us: number): number => (us - zeroUs) / 1000
  const rising = keyframes.toSorted((a, b) => a.atUs - b.atUs).filter(({ atUs }, at, all) => atUs !== all[at - 1]?.atUs)
  const gopUs = rising.reduce((most, { atUs }, at) => Math.max(most, (rising[at + 1]?.atUs ?? videoEndUs) - atUs), 0)
  const leadsMs = rising.map(({ atUs, groupUs }) => (atUs - Math.min(atUs, groupUs)) / 1000)
  return {
    zeroMs: zeroUs / 1000,
    keyframesMs: rising.map(({ atUs }) => fromZero(atUs)),
    videoStartMs: fromZero(videoStartUs),
    audioStartMs: audioStartUs === undefined ? null : fromZero(audioStartUs),
    videoEndMs: fromZero(videoEndUs),
    keyframeOffsets: rising.map(({ offset }) => offset),
    ...(leadsMs.some((ms) => ms > 0) ? { keyframeLeadsMs: leadsMs } : {}),
    largestGopMs: gopUs / 1000,
    ...omitUndefined({ framesPerSecond, landsOnKeyframes: landsOnKeyframes || undefined }),
    ...(landsLateUs > 0 ? { landsLateMs: landsLateUs / 1000 } : {}),
  }
}
