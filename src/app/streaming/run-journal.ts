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

export interface RunEnding {
  /** `unneeded`: nobody wants more of it. */
  readonly end: RunEnd | 'unneeded'
  readonly reason: string
  readonly positionMs: number
}

export function noteAssigned({ journal, rendition, epoch, source }: TableState, { handle, startSegment }: ActiveRun): void {
  if (!handle) return
  const { jobId, agentId } = handle
  const method = rendition.output.type.startsWith('copy') ? 'copy' : 'encode'
  const positionMs = startOf(rendition.grid, startSegment)
  journal?.assigned({ jobId, agentId, epoch, fileId: source.fileId, quality: rendition.name, method, positionMs })
}

export function noteEnded(
  { journal, rendition: { grid } }: TableState,
  { handle, next }: ActiveRun,
  ending: Omit<RunEnding, 'positionMs'>,
): void {
  if (handle) journal?.ended(handle.jobId, { ...ending, positionMs: startOf(grid, next) })
}
