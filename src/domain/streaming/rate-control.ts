/**
 * Rate control of every encoder: a buffer that fills at a steady rate, out of which the pictures are paid. A run begins with a full
 * one, and a segment may empty it: half a second at four fifths of the peak make the peak over the two seconds of a segment, so that
 * what the playlists say of a rung holds for each of its segments, whatever run made it.
 */
export const BUFFER_SECONDS = 0.5
const FILLING_SHARE = 0.8

/** Changes with the numbers above: what was made before is not mixed with what is made now. */
export const RATE_CONTROL = 'vbv1'

/** What fills the buffer of an encoder whose segments reach a peak: the most that its pictures take on average. */
export const fillingBps = (peakBps: number): number => Math.round(peakBps * FILLING_SHARE)

/** The peak whose buffer fills at a rate. */
export const peakForFilling = (bps: number): number => Math.round(bps / FILLING_SHARE)
