/**
 * Times at which a frame is repeated if a film shows nothing new: twice a second, at times of the file that a film's frames hardly ever
 * have.
 */
import { TOLERANCE_MS } from './segment-grid.ts'

/** Ticks a second of the encoded video. */
export const VIDEO_TIMESCALE = 90_000
export const BEAT_TICKS = VIDEO_TIMESCALE / 2
/** Offset from full and half seconds, which are common frame times. */
export const PHASE_TICKS = 7

/** Ticks since the last beat. */
export const sinceBeat = (ticks: number): number => (((ticks - PHASE_TICKS) % BEAT_TICKS) + BEAT_TICKS) % BEAT_TICKS

/**
 * Whether a segment that starts with a keyframe at this time of the file may have a beat before it: then it starts with a repeat of an
 * earlier frame, if that one is old enough.
 */
export const followsBeat = (fileMs: number): boolean => sinceBeat((fileMs * VIDEO_TIMESCALE) / 1000) <= MOST_SINCE

/** From the tolerance before a boundary to the tolerance after it. */
const MOST_SINCE = (2 * TOLERANCE_MS * VIDEO_TIMESCALE) / 1000
