/**
 * Builds filters that repeat the current frame whenever the film has no new one, so that no segment is empty. A beat comes twice a second,
 * at times that a film's frames hardly ever have. A repeat is kept only if the previous frame is older than half a beat, so films with
 * motion come out unchanged. Times are those of the file, so that every run makes the same repeats.
 */
import { BEAT_TICKS, PHASE_TICKS, sinceBeat, VIDEO_TIMESCALE } from '../src/domain/streaming/beats.ts'
import { seconds } from './work.ts'

const LEAST_AGE_SECONDS = 0.25
/** Beats continue past the end of the film's video, which would otherwise end with them. */
const BEYOND_MS = 10_000
const CLOCK = `settb=1/${VIDEO_TIMESCALE}`

/**
 * Encoders require increasing times: a frame with the same or an earlier time than the previous one is put right after it (`frame-times.ts`
 * shares out the room). A frame that falls on a beat's time would pass for a repeat, and is moved a tick later.
 */
const OWN_TIMES = `setpts='if(lte(PTS,PREV_OUTPTS),PREV_OUTPTS+2,PTS)',setpts='PTS+eq(mod(PTS-${PHASE_TICKS},${BEAT_TICKS}),0)'`

/** Whether a frame at this file time, in ticks of 90 kHz, is a repeat. */
export const isRepeat = (ticks: number): boolean => sinceBeat(ticks) === 0

/** Drops the repeats that are not needed. Incomplete beats at the very start are dropped by the filter that trims there. */
const ONLY_NEEDED = `select='not(eq(mod(pts-${PHASE_TICKS},${BEAT_TICKS}),0)*lt(t-prev_selected_t,${LEAST_AGE_SECONDS}))'`

/**
 * Repeats within the film, from before the first wanted frame to the film's end, both in file time. Passes on no frame before the film's
 * first one.
 */
export function repeatedFrames(fromMs: number, endMs: number): string {
  return `${CLOCK},${OWN_TIMES}[moving];${beats(fromMs, endMs + BEYOND_MS)}[beats];[moving][beats]streamselect=inputs=2:map=0,${ONLY_NEEDED}`
}

/** Repeats the last frame after the film's video has ended, up to a file time. Takes 8-bit frames. */
export function standingToEnd(fromMs: number, endMs: number): string {
  const rest = `${beats(fromMs, endMs)},format=yuva420p[rest]`
  return `format=yuv420p,${CLOCK}[ending];${rest};[ending][rest]overlay=x=W:y=H:eof_action=repeat,${ONLY_NEEDED}`
}

/** Frames of two by two pixels. They end with the film: otherwise a film without a single frame would make ffmpeg wait permanently. */
function beats(fromMs: number, endMs: number): string {
  const first = Math.floor((fromMs * VIDEO_TIMESCALE) / 1000 / BEAT_TICKS) * BEAT_TICKS + PHASE_TICKS
  return `nullsrc=size=2x2:rate=2,${CLOCK},setpts=PTS+${first},trim=end=${seconds(endMs)}`
}
