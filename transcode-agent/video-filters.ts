/** Builds the filters between a film's decoded frame and the encoded one: start time, size, colours. */
import { TOLERANCE_MS } from '../src/domain/streaming/segment-grid.ts'
import { scaleFilters } from './colour-filters.ts'
import { drawFilters } from './drawn-subtitles.ts'
import { repeatedFrames, standingToEnd } from './repeated-frames.ts'
import { firstStart, seconds, type Capabilities, type VideoOutput, type Work } from './work.ts'

/** Time before the first wanted frame: the frame shown there is repeated within it. */
const STANDING_MS = 800
/** Larger than that, and rounded down to whole beats. */
const BEATS_FROM_MS = 2_000
/** A film may decode frames before its own zero. */
const BEFORE_ZERO_MS = 10_000

/** From the decoded frame to the encoded one, in processing order. */
export function videoFilters(work: Work, output: VideoOutput, capabilities: Capabilities): readonly string[] {
  const startMs = firstStart(work)
  const fromMs = work.zeroMs + startMs - TOLERANCE_MS
  const beatsMs = fromMs - (startMs > 0 ? BEATS_FROM_MS : BEFORE_ZERO_MS)
  const isLast = work.decodesAll === true
  return [
    ...(output.deinterlace ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    repeatedFrames(isLast ? work.zeroMs - BEFORE_ZERO_MS : beatsMs, work.zeroMs + work.endMs),
    // Unwanted frames are neither scaled nor tone-mapped, except the ones that may still be shown when the wanted part begins.
    ...(startMs > 0 && !isLast ? [`trim=start=${seconds(fromMs - STANDING_MS)}`] : []),
    ...scaleFilters(output, capabilities),
    standingToEnd(beatsMs, work.zeroMs + work.endMs),
    // After the repeats: `fps` emits nothing for a last frame before the wanted time.
    ...(output.framesPerSecond === null ? [] : [`fps=${output.framesPerSecond}:start_time=${seconds(fixedFrom(work, startMs))}`]),
    ...(startMs > 0 ? [`trim=start=${seconds(fromMs)}`] : []),
    ...drawFilters(work, output),
    'setsar=1',
    'format=yuv420p',
  ]
}

/** Start of the frames at a fixed rate: a whole number of them before the first wanted one. */
const fixedFrom = ({ zeroMs }: Work, startMs: number): number => zeroMs + startMs - (startMs > 0 ? STANDING_MS : 0)
