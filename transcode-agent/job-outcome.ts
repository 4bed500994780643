/** Judges how a run of ffmpeg ended: whether the job is complete, and whether the film, its file or the encoder is the cause if not. */
import type { JobRecord } from '../src/app/streaming/agents/agent-protocol.ts'
import { isHardware } from '../src/domain/streaming/encoders.ts'
import { failureReason, type JobFailure } from '../src/domain/streaming/job-failure.ts'
import type { Output } from '../src/domain/streaming/rendition.ts'
import type { Exit } from '../src/ffmpeg/process.ts'
import { encoderComplaint } from './encoder-arguments.ts'

export type JobEnd = Pick<Extract<JobRecord, { readonly type: 'ended' }>, 'outcome' | 'reason'>

export interface Ended extends Omit<Exit, 'firstErrors'> {
  /** Set if the process was ended because it produced nothing for too long. */
  readonly stuck?: string | undefined
}

export const REASON_MAX_CHARACTERS = 500

export const isByHardware = (output: Output): boolean => output.type === 'encode-video' && isHardware(output.encoder)

/** The hardware encoder's error, if it failed; the film is not the cause. */
export function circuitComplaint(output: Output, { code, signal, errors, stuck }: Ended): string | undefined {
  if (!isByHardware(output) || code === 0) return undefined
  return stuck ?? encoderComplaint(errors) ?? signal ?? undefined
}

/** ffmpeg's message for a filter that it was built without. */
const NO_LIBASS = /No such filter: 'ass'/

/** Its messages for an input that is away: of 5.1, and of 6 and later. */
const UNREADABLE = /^(?:file:.*|.*Error opening input): (?:No such file|Input\/output error|Permission denied|Stale|Transport endpoint)/m

export function outcomeOf({ code, signal, errors, stuck }: Ended): JobEnd {
  if (stuck !== undefined) return failed('ffmpeg-stuck', `ffmpeg ${stuck}`)
  const last = errors.split('\n').at(-1) ?? ''
  if (code === 0) return { outcome: 'complete', reason: last.slice(0, REASON_MAX_CHARACTERS) }
  if (NO_LIBASS.test(errors)) return failed('no-libass')
  return failed(UNREADABLE.test(errors) ? 'film-unreadable' : 'ffmpeg-failed', `ffmpeg ended with ${signal ?? code}: ${last}`)
}

const failed = (failure: JobFailure, detail?: string): JobEnd => ({
  outcome: 'failed',
  reason: failureReason(failure, detail).slice(0, REASON_MAX_CHARACTERS),
})
