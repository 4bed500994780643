/** Touches of the video: one shows or hides the controls, two quick ones jump back or forward. */

export interface Tap {
  /** Milliseconds. */
  readonly at: number
  /** 0 at the left edge of the video, 1 at the right one. */
  readonly share: number
}

export type TapMeaning = 'back' | 'forward' | 'toggle' | 'wait'

/** Within which a second touch belongs to the first. */
export const DOUBLE_MS = 280
const SIDE = 1 / 3

const sideOf = (share: number): TapMeaning => (share < SIDE ? 'back' : share > 1 - SIDE ? 'forward' : 'toggle')

/** What the touch means after the one before it. `wait`: it is alone so far. */
export function meaningOf(tap: Tap, before: Tap | undefined): TapMeaning {
  const isSecond = before !== undefined && tap.at - before.at < DOUBLE_MS
  return isSecond && sideOf(before.share) === sideOf(tap.share) ? sideOf(tap.share) : 'wait'
}
