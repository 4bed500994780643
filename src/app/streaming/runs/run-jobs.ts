/** Builds the jobs of a run, and explains why no agent can be asked. */
import { TimedOut } from '../../../concurrency/timeout.ts'
import { ServerUnavailable } from '../../../ports/server.ts'
import { updateCredit } from './credit.ts'
import type { JobAttachment } from '../agents/job-attachment.ts'
import { subjects, type JobSpec } from '../agents/agent-protocol.ts'
import type { Run, ActorState } from './actor-state.ts'
import { busy, type Unavailable } from '../segments/unavailable.ts'

const UNREACHABLE = busy('The transcoders cannot be reached', 5)

export function specFor(state: ActorState, run: Run, attachment: JobAttachment | undefined): JobSpec {
  const { rendition, zeroMs } = state
  const source = state.source()
  const jobId = state.ids.next<'job'>()
  return {
    jobId,
    rendition: state.renditionId,
    epoch: state.epoch,
    source: { ...source, token: state.signSource(source.fileId, jobId) },
    stream: rendition.stream,
    output: rendition.output,
    grid: rendition.grid,
    zeroMs,
    startSegment: run.startSegment,
    seekMs: state.seekFor(run.startSegment),
    ...(attachment ? { attachment: { digest: attachment.digest, sizeBytes: attachment.bytes.byteLength } } : {}),
    inbox: subjects.inbox(state.node, jobId),
    creditMs: updateCredit(state, run),
  }
}

/** A bus that is closed or down counts as having no agent; any other exception is a bug. */
export function unreachable({ closed, stallReason, onError }: ActorState, cause: unknown): Unavailable {
  const isFault = cause instanceof Error && !(cause instanceof ServerUnavailable || cause instanceof TimedOut)
  if (isFault && !closed && stallReason !== UNREACHABLE.unavailable) onError(cause)
  return UNREACHABLE
}
