/** What a run asks of an agent, and what it means if no agent can be asked. */
import { Late } from '../../../flow/deadline.ts'
import { EngineAway } from '../../../ports/engine.ts'
import { creditFor } from './credit.ts'
import type { Parcel } from '../agents/parcel.ts'
import { subjects, type JobSpec } from '../agents/protocol.ts'
import type { ActiveRun, TableState } from './run-state.ts'
import { busy, type Unavailable } from '../segments/unavailable.ts'

const UNREACHABLE = busy('The transcoders cannot be reached', 5)

export function specFor(state: TableState, run: ActiveRun, parcel: Parcel | undefined): JobSpec {
  const { rendition, source, zeroMs } = state
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
    ...(parcel ? { parcel: { digest: parcel.digest, sizeBytes: parcel.bytes.byteLength } } : {}),
    inbox: subjects.inbox(state.node, jobId),
    creditMs: creditFor(state, run),
  }
}

/** A bus that is closed or broken is no other than one without an agent; what else is thrown is a fault of the program. */
export function unreachable({ closed, problem, report }: TableState, cause: unknown): Unavailable {
  const isFault = cause instanceof Error && !(cause instanceof EngineAway || cause instanceof Late)
  if (isFault && !closed && problem !== UNREACHABLE.unavailable) report(cause)
  return UNREACHABLE
}
