/** Reports the runs of a run table to its journal. */
import { startOf } from '../../../domain/streaming/segment-grid.ts'
import type { Ending } from '../agents/run-journal.ts'
import type { ActiveRun, TableState } from './run-state.ts'

export function noteAssigned(state: TableState, run: ActiveRun): void {
  const { journal, rendition, epoch, source } = state
  const { handle, startSegment, ending } = run
  if (!handle) return
  const { jobId, agentId } = handle
  const method = rendition.output.type.startsWith('copy') ? 'copy' : 'encode'
  const positionMs = startOf(rendition.grid, startSegment)
  const { output } = rendition
  const encoder = output.type === 'encode-video' ? { encoder: output.encoder } : {}
  journal?.assigned({ jobId, agentId, epoch, fileId: source.fileId, quality: rendition.name, method, ...encoder, positionMs })
  if (ending) noteEnded(state, run, ending)
}

/** The end may come before the agent's reply to the start: then it is recorded after that. */
export function noteEnded({ journal, rendition: { grid } }: TableState, run: ActiveRun, ending: Ending): void {
  run.ending = ending
  if (run.handle) journal?.ended(run.handle.jobId, { ...ending, positionMs: startOf(grid, run.next) })
}
