/** Reports the runs of an actor to its journal. */
import { startOf } from '../../../domain/streaming/segment-grid.ts'
import type { Ending } from '../agents/run-journal.ts'
import type { Run, ActorState } from './actor-state.ts'

export function noteAssigned(state: ActorState, run: Run): void {
  const { journal, rendition, epoch, source } = state
  const { job, startSegment, ending } = run
  if (!job) return
  const { jobId, agentId } = job
  const method = rendition.output.type.startsWith('copy') ? 'copy' : 'encode'
  const positionMs = startOf(rendition.grid, startSegment)
  const { output } = rendition
  const encoder = output.type === 'encode-video' ? { encoder: output.encoder } : {}
  journal?.assigned({ jobId, agentId, epoch, fileId: source().fileId, quality: rendition.name, method, ...encoder, positionMs })
  if (ending) noteEnded(state, run, ending)
}

/** The end may come before the agent's reply to the start: then it is recorded after that. */
export function noteEnded({ journal, rendition: { grid } }: ActorState, run: Run, ending: Ending): void {
  run.ending = ending
  if (run.job) journal?.ended(run.job.jobId, { ...ending, positionMs: startOf(grid, run.next) })
}
