/**
 * Rate control of all encoders: a buffer that fills at a constant rate and pays for the frames (VBV). A run starts with a full buffer,
 * and a segment may empty it. Half a second at four fifths of the peak add up to the peak over the two seconds of a segment. So a rung's
 * peak in the playlists holds for each of its segments, whichever run made it.
 */
export const BUFFER_SECONDS = 0.5
const FILLING_SHARE = 0.8

/** Change it with the numbers above: segments of different rate controls must not be combined. */
export const RATE_CONTROL = 'vbv1'

/** Fill rate of an encoder whose segments may reach a peak: the highest average of its frames. */
export const fillingBps = (peakBps: number): number => Math.round(peakBps * FILLING_SHARE)

/** The peak of a buffer with this fill rate. */
export const peakForFilling = (bps: number): number => Math.round(bps / FILLING_SHARE)
