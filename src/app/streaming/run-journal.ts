/** What of a run is written down for later: which agent took it, where it began, where and why it ended. */
import { startOf } from '../../domain/streaming/grid.ts'
import type { RunEnd } from './run.ts'
import type { ActiveRun, TableState } from './run-state.ts'

/** Somebody who writes it down, behind the work. */
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
  readonly positionMs: number
}

export interface Ending {
  /** `unneeded`: nobody wants more of it. */
  readonly end: RunEnd | 'unneeded'
  readonly reason: string
}

export interface RunEnding extends Ending {
  readonly positionMs: number
}

export function noteAssigned(state: TableState, run: ActiveRun): void {
  const { journal, rendition, epoch, source } = state
  const { handle, startSegment, ending } = run
  if (!handle) return
  const { jobId, agentId } = handle
  const method = rendition.output.type.startsWith('copy') ? 'copy' : 'encode'
  const positionMs = startOf(rendition.grid, startSegment)
  journal?.assigned({ jobId, agentId, epoch, fileId: source.fileId, quality: rendition.name, method, positionMs })
  if (ending) noteEnded(state, run, ending)
}

/** The end may come before the agent's answer to the start: then it is written down behind that. */
export function noteEnded({ journal, rendition: { grid } }: TableState, run: ActiveRun, ending: Ending): void {
  run.ending = ending
  if (run.handle) journal?.ended(run.handle.jobId, { ...ending, positionMs: startOf(grid, run.next) })
}
