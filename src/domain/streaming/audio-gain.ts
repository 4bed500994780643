/**
 * Computes the gain that makes a film's audio louder or quieter. The gain never lets the audio clip, so that no limiter has to compress
 * loud passages: it stays constant within a run and across runs.
 *
 * The target loudness is the upper end of what AES TD1004 recommends for streams that are played back on all kinds of devices (-16 LUFS).
 * The true peak that leaves headroom for lossy codecs is also from there (-1 dB).
 */
import type { MediaDescription } from '../../vocabulary/media-description.ts'
import type { StreamOptions, TrackGain } from '../../vocabulary/stream-options.ts'
import { mainAudio } from './audio-plan.ts'

/** In dB; `auto`: up or down to the target loudness. */
export type AskedGain = 'auto' | number

type ChosenAudio = Pick<StreamOptions, 'audioGain' | 'audioIndex'>

interface MeasuredAudio {
  readonly loudnessLufs: number
  readonly truePeakDb: number
}

interface MeasuredTrack {
  readonly stream: number
  readonly stereo: MeasuredAudio
  readonly surround: MeasuredAudio | null
}

export const MAX_GAIN_DB = 20
const USUAL_LUFS = -16
const HIGHEST_PEAK_DB = -1
/** The meter's own floor: there is no loudness to measure. */
const SILENCE_LUFS = -70

/** Gains of the tracks that change. Without a measurement no track is made louder. */
export function trackGains(
  { audio }: Pick<MediaDescription, 'audio'>,
  asked: AskedGain,
  measured: readonly MeasuredTrack[] = [],
): readonly TrackGain[] {
  const gains = audio.map(({ stream }) => {
    const known = measured.find((track) => track.stream === stream)
    return { stream, stereoDb: gainOf(asked, known?.stereo), surroundDb: gainOf(asked, known?.surround ?? undefined) }
  })
  return gains.filter(({ stereoDb, surroundDb }) => stereoDb !== 0 || surroundDb !== 0)
}

/** Gain of the track that plays unless the player changes it; null if it is unchanged. `audioIndex`: the one that the session asked for. */
export function mainGainDb({ audio }: Pick<MediaDescription, 'audio'>, { audioGain: gains = [], audioIndex }: ChosenAudio): number | null {
  const main = audio[mainAudio(audio, audioIndex)]
  return gains.find(({ stream }) => stream === main?.stream)?.stereoDb || null
}

function gainOf(asked: AskedGain, measured: MeasuredAudio | undefined): number {
  const wanted = asked === 'auto' ? toUsual(measured) : asked
  const most = measured ? Math.max(0, HIGHEST_PEAK_DB - measured.truePeakDb) : 0
  const gainDb = Math.max(-MAX_GAIN_DB, Math.min(MAX_GAIN_DB, wanted, most))
  // Round down to a tenth: rounding up might clip.
  return Math.floor(gainDb * 10 + 1e-6) / 10 + 0
}

const toUsual = (measured: MeasuredAudio | undefined): number =>
  measured && measured.loudnessLufs > SILENCE_LUFS ? USUAL_LUFS - measured.loudnessLufs : 0
