/** Arguments that make sound anew, on a grid of whole codec frames that is the same in every run. */
import { audioFilters } from './audio-filters.ts'
import { firstStart, type AudioOutput, type Work } from './work.ts'

/** Frames of 1024 samples before the wanted ones, so that the encoder is under way when they come. */
const RUN_UP_FRAMES = 4
const AAC_FRAME_SAMPLES = 1024

/**
 * Sound follows its timestamps: what is off by more than 18 ms is cut or filled. It is not stretched: ffmpeg then loses count of
 * Vorbis in Ogg. A run that begins in the middle begins on its timestamps, and so within that of any other.
 */
const FOLLOWING = 'async=1:min_comp=0.004:min_hard_comp=0.018'

/** Sound on a grid of whole AAC frames that begins at the output timeline's zero; silence where the film has none. */
export function aacArguments(work: Work, output: AudioOutput): readonly string[] {
  const { channels, bitrateBps, sampleRate } = output
  const ticks = (ms: number) => Math.round((ms * sampleRate) / 1000)
  const first = frameBoundary(firstStart(work), sampleRate) - RUN_UP_FRAMES * AAC_FRAME_SAMPLES
  const filters = [
    ...audioFilters(output),
    `aresample=${sampleRate}`,
    `aresample=${FOLLOWING}:first_pts=${ticks(work.zeroMs) + first}`,
    'apad',
    `atrim=end_pts=${ticks(work.zeroMs) + ticks(work.endMs)}`,
  ]
  return ['-af', filters.join(','), '-ac', String(channels), '-ar', String(sampleRate), '-c:a', 'aac', '-b:a', String(bitrateBps)]
}

/** The start of a frame that is nearest to a moment. */
export function frameBoundary(ms: number, sampleRate: number, frameSamples = AAC_FRAME_SAMPLES): number {
  return Math.round((ms * sampleRate) / 1000 / frameSamples) * frameSamples
}
