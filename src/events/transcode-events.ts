/** Events of transcode jobs (`transcode-<job>`): what was to be made, who made it, and how that ended. No viewer is named. */
import type { FileId, JobId } from '../vocabulary/id.ts'

export type TranscodeMethod = 'copy' | 'encode'

export interface TranscodeEvents {
  /** `quality`: `720p`, `audio-0-aac`, ...; `positionMs`: where in the film the job begins. */
  TranscodeRequested: Job & {
    readonly fileId: FileId
    readonly quality: string
    readonly method: TranscodeMethod
    readonly positionMs: number
  }
  /** `epoch`: that of the rendition's owner, which orders to the agent carry. */
  TranscodeAssigned: Job & { readonly agentId: string; readonly epoch: number }
  /** Its agent was lost, or has left: another job goes on from here. */
  TranscodeReassigned: Job & { readonly positionMs: number; readonly reason: string }
  TranscodeFailed: Job & { readonly positionMs: number; readonly reason: string }
  /** Nothing is wrong: the film's end was reached, or nobody needs more. */
  TranscodeStopped: Job & { readonly positionMs: number; readonly reason: 'complete' | 'unneeded' }
}

interface Job {
  readonly jobId: JobId
}
