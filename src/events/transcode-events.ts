/** Events of transcode jobs (`transcode-<job>`): the requested output, the agent, and the outcome. No viewer is named. */
import type { FileId, JobId } from '../vocabulary/id.ts'

export type TranscodeMethod = 'copy' | 'encode'

export interface TranscodeEvents {
  /** `quality`: `720p`, `audio-0-aac`, ...; `positionMs`: the job's start within the film. */
  TranscodeRequested: Job & {
    readonly fileId: FileId
    readonly quality: string
    readonly method: TranscodeMethod
    readonly positionMs: number
  }
  /** `epoch`: that of the rendition's owner, which is part of each order to the agent. */
  TranscodeAssigned: Job & { readonly agentId: string; readonly epoch: number }
  /** Its agent was lost or has left: another job continues from here. */
  TranscodeReassigned: Job & { readonly positionMs: number; readonly reason: string }
  TranscodeFailed: Job & { readonly positionMs: number; readonly reason: string }
  /** No error: the film's end was reached, or nobody needs more. */
  TranscodeStopped: Job & { readonly positionMs: number; readonly reason: 'complete' | 'unneeded' }
}

interface Job {
  readonly jobId: JobId
}
