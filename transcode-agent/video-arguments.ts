/** Builds the arguments that encode video so that every run joins seamlessly with earlier output. */
import { TOLERANCE_MS } from '../src/domain/streaming/segment-grid.ts'
import { encoderArguments } from './encoder-arguments.ts'
import { VIDEO_TIMESCALE } from '../src/domain/streaming/beats.ts'
import type { VideoOutput, Work } from './work.ts'

/** Frames after which the encoder inserts a keyframe by itself. */
const KEYFRAME_DISTANCE = 600

/** Encoder, rate control, and keyframes at segment starts. */
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

/** Without it, players that inspect the stream would take the encoder's 90 kHz clock for the frame rate. Ticks are fields. */
function saysItsRate({ cadence }: VideoOutput): readonly string[] {
  return cadence === null ? [] : ['-bsf:v', `h264_metadata=tick_rate=${cadence.numerator * 2}/${cadence.denominator}`]
}

/**
 * Keyframes at the first frame at or after each boundary. They are listed one by one: in an expression the time would count from the run's
 * first frame, which depends on where the run began.
 */
function keyframes({ zeroMs, startsMs }: Pick<Work, 'zeroMs' | 'startsMs'>): string {
  return startsMs.map((startMs) => ((zeroMs + startMs - TOLERANCE_MS) / 1000).toFixed(3)).join(',')
}
