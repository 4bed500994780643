/** Arguments that encode a picture, so that what is made joins at every start with what was made before. */
import { TOLERANCE_MS } from '../src/domain/streaming/segment-grid.ts'
import { encoderArguments } from './encoder-arguments.ts'
import { VIDEO_TIMESCALE } from './repeated-frames.ts'
import type { VideoOutput, Work } from './work.ts'

/** Pictures after which the encoder begins anew by itself. */
const KEYFRAME_DISTANCE = 600

/** Encoder, rate control, and keyframes where segments begin. */
export function videoArguments(work: Pick<Work, 'zeroMs' | 'startsMs'>, output: VideoOutput): readonly string[] {
  const options: readonly (readonly [name: string, value: string])[] = [
    ['-fps_mode', 'passthrough'],
    ['-enc_time_base', `1:${VIDEO_TIMESCALE}`],
    ['-video_track_timescale', String(VIDEO_TIMESCALE)],
    ['-g', String(KEYFRAME_DISTANCE)],
    ['-force_key_frames', keyframes(work)],
  ]
  return [...options.flat(), ...encoderArguments(output), ...saysItsRate(output)]
}

/** The encoder's clock of 90 kHz would else be taken for the frame rate by players that look into the stream. Ticks are fields. */
function saysItsRate({ cadence }: VideoOutput): readonly string[] {
  return cadence === null ? [] : ['-bsf:v', `h264_metadata=tick_rate=${cadence.numerator * 2}/${cadence.denominator}`]
}

/**
 * The first picture at or after each boundary. Listed one by one: in an expression the time would count from the run's first
 * picture, which is where the run happens to begin.
 */
function keyframes({ zeroMs, startsMs }: Pick<Work, 'zeroMs' | 'startsMs'>): string {
  return startsMs.map((startMs) => ((zeroMs + startMs - TOLERANCE_MS) / 1000).toFixed(3)).join(',')
}
