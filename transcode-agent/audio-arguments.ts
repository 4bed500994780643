/** Arguments that re-encode audio on a grid of whole codec frames that is the same in every run. */
import { audioFilters } from './audio-filters.ts'
import { firstStart, type AudioOutput, type Work } from './work.ts'

/** Frames of 1024 samples encoded before the wanted ones, so that the encoder has settled when those come. */
const RUN_UP_FRAMES = 4
const AAC_FRAME_SAMPLES = 1024

/**
 * Audio follows its timestamps: drift of more than 18 ms is cut or filled. It is not stretched: with stretching, ffmpeg loses count of
 * Vorbis in Ogg. A run that starts in the middle starts on its timestamps, so it is within that drift of any other run.
 */
const FOLLOWING = 'async=1:min_comp=0.004:min_hard_comp=0.018'

/** Encodes audio on a grid of whole AAC frames that starts at zero of the output timeline, with silence for gaps in the film's audio. */
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

/** The frame boundary nearest to a time. */
export function frameBoundary(ms: number, sampleRate: number, frameSamples = AAC_FRAME_SAMPLES): number {
  return Math.round((ms * sampleRate) / 1000 / frameSamples) * frameSamples
}
