/** The interface for recording runs: which agent accepted a run, where it started, and where and why it ended. */
import type { Encoder } from '../../../vocabulary/encoder.ts'
import type { AgentJobEnd } from './agent-job.ts'

/** Records asynchronously, without delaying the work. */
export interface RunJournal {
  assigned(this: void, assignment: RunAssignment): void
  ended(this: void, jobId: string, ending: RunEnding): void
}

export interface RunAssignment {
  readonly jobId: string
  readonly agentId: string
  readonly epoch: number
  readonly fileId: string
  /** `720p`, `audio-0-aac`, ... */
  readonly quality: string
  readonly method: 'copy' | 'encode'
  /** Of video that is encoded. */
  readonly encoder?: Encoder
  readonly positionMs: number
}

export interface Ending {
  /** `unneeded`: no client needs more of it. */
  readonly end: AgentJobEnd | 'unneeded'
  readonly reason: string
}

export interface RunEnding extends Ending {
  readonly positionMs: number
}
