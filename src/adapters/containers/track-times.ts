/**
 * Times of a film as a container's own tables tell them, in whole microseconds of the container's clock as ffprobe prints them,
 * and the index that they make.
 */
import type { MediaIndex } from '../../ports/media.ts'

export interface TrackTimes {
  readonly keyframes: readonly Keyframe[]
  /** Of the first picture and the first sound that are shown, in the order of the file. */
  readonly videoStartUs: number
  readonly audioStartUs: number | undefined
  readonly videoEndUs: number
  /** The most pictures a second among the groups that were looked into; undefined when none was. */
  readonly framesPerSecond?: number | undefined
}

export interface Keyframe {
  readonly atUs: number
  /** Of its packet; null where the container does not tell. */
  readonly offset: number | null
  /** When the first picture of its group is shown: its own time, or an earlier one where others lead it. */
  readonly groupUs: number
}

/** Rising, each once, from the film's zero. */
export function indexFromTimes({ keyframes, videoStartUs, audioStartUs, videoEndUs, framesPerSecond }: TrackTimes): MediaIndex {
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
    ...(framesPerSecond === undefined ? {} : { framesPerSecond }),
  }
}
