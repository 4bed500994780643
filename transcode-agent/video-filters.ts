/** Filters between a film's picture and the one that is encoded: from when on, how large, in which colours. */
import { TOLERANCE_MS } from '../src/domain/streaming/grid.ts'
import { scaleFilters } from './colour-filters.ts'
import { drawFilters } from './drawn-subtitles.ts'
import { firstStart, seconds, type Capabilities, type VideoOutput, type Work } from './work.ts'

/** From the film's picture to the one that is encoded, in the order of the work. */
export function videoFilters(work: Work, output: VideoOutput, capabilities: Capabilities): readonly string[] {
  const startMs = firstStart(work)
  const fromMs = work.zeroMs + startMs - TOLERANCE_MS
  return [
    ...(output.deinterlace ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    ...(startMs > 0 ? [`trim=start=${seconds(fromMs)}`] : []),
    ...(output.framesPerSecond === null ? [] : [`fps=${output.framesPerSecond}:start_time=${seconds(fromMs + TOLERANCE_MS)}`]),
    ...scaleFilters(output, capabilities),
    ...drawFilters(work, output),
    'setsar=1',
    'format=yuv420p',
  ]
}
