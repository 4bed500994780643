/**
 * Standing pictures: filters that repeat the picture on the screen wherever the film has no new one, so that no segment is empty.
 * A beat comes twice a second, at times of its own that a film's pictures hardly ever have; a repeat is kept only when the picture
 * before it is older than half a beat, so films that move come out unchanged. Times are those of the file, so that every run makes
 * the same repeats.
 */
import { seconds } from './work.ts'

/** Ticks of the encoded picture, a second. */
export const VIDEO_TIMESCALE = 90_000

const BEAT_TICKS = VIDEO_TIMESCALE / 2
/** Apart from full and half seconds, where pictures are. */
const PHASE_TICKS = 7
const LEAST_AGE_SECONDS = 0.25
/** Beats outlast the film's picture, which would end with them. */
const BEYOND_MS = 10_000
const CLOCK = `settb=1/${VIDEO_TIMESCALE}`

/**
 * An encoder wants times that rise: a picture with the time of the one before it, or an earlier one, comes right after it (`own-times.ts`
 * shares out the room). What happens to come at a beat's time would pass for a repeat, and is a tick later.
 */
const OWN_TIMES = `setpts='if(lte(PTS,PREV_OUTPTS),PREV_OUTPTS+2,PTS)',setpts='PTS+eq(mod(PTS-${PHASE_TICKS},${BEAT_TICKS}),0)'`

/** Whether a picture at this time of the file, in ticks of 90 kHz, is a repeat. */
export const isRepeat = (ticks: number): boolean => (((ticks - PHASE_TICKS) % BEAT_TICKS) + BEAT_TICKS) % BEAT_TICKS === 0

/** Drops the repeats that are not needed. Unfinished beats at the very start are dropped by whoever trims there. */
const ONLY_NEEDED = `select='not(eq(mod(pts-${PHASE_TICKS},${BEAT_TICKS}),0)*lt(t-prev_selected_t,${LEAST_AGE_SECONDS}))'`

/**
 * Repeats within the film, between two times of the file: before the first picture that is wanted, and the film's end. Passes on no
 * picture before the first one.
 */
export function repeatedFrames(fromMs: number, endMs: number): string {
  return `${CLOCK},${OWN_TIMES}[moving];${beats(fromMs, endMs + BEYOND_MS)}[beats];[moving][beats]streamselect=inputs=2:map=0,${ONLY_NEEDED}`
}

/** Repeats of the last picture after the film's picture has ended, up to a time of the file. Takes pictures of 8 bits. */
export function standingToEnd(fromMs: number, endMs: number): string {
  const rest = `${beats(fromMs, endMs)},format=yuva420p[rest]`
  return `format=yuv420p,${CLOCK}[ending];${rest};[ending][rest]overlay=x=W:y=H:eof_action=repeat,${ONLY_NEEDED}`
}

/** Pictures of two by two points. They end with the film: a film that gives no picture at all would have ffmpeg wait for ever. */
function beats(fromMs: number, endMs: number): string {
  const first = Math.floor((fromMs * VIDEO_TIMESCALE) / 1000 / BEAT_TICKS) * BEAT_TICKS + PHASE_TICKS
  return `nullsrc=size=2x2:rate=2,${CLOCK},setpts=PTS+${first},trim=end=${seconds(endMs)}`
}
