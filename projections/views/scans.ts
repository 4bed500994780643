/** View `scans`: one document per scan, including its progress. */
import type { ScanCounts, ScanError, ScanMode, ScanPhase, ScanTrigger } from '../../src/events/library-events.ts'
import type { LibraryId, ScanId, UserId } from '../../src/vocabulary/id.ts'
import type { Position } from '../../src/events/position.ts'
import { operations, type View } from './view.ts'

export type ScanState = 'queued' | ScanPhase | 'completed' | 'failed' | 'cancelled' | 'interrupted'

export interface ScanDocument {
  readonly id: ScanId
  readonly libraryId: LibraryId
  readonly mode: ScanMode
  readonly trigger: ScanTrigger
  readonly startedBy: UserId | null
  readonly state: ScanState
  readonly startedAt: string
  readonly finishedAt: string | null
  readonly done: number
  readonly total: number
  readonly current: string | null
  readonly counts: ScanCounts
  readonly errors: readonly ScanError[]
  /** Why it failed; null otherwise. */
  readonly error: string | null
  /** The range of log positions that contains its changes; open-ended while it runs. */
  readonly from: Position
  readonly to: Position | null
}

export const NO_COUNTS: ScanCounts = {
  seen: 0,
  added: 0,
  updated: 0,
  moved: 0,
  missing: 0,
  restored: 0,
  unchanged: 0,
  ignored: 0,
  errors: 0,
}

const { put, change } = operations<ScanDocument>()

export const scans: View<ScanDocument> = {
  name: 'scans',
  version: 2,
  fields: { libraryId: 'text', startedAt: 'text' },
  indexes: [['libraryId', 'startedAt']],
  handles: {
    ScanRequested: ({ data, at, position }) =>
      put(data.scanId, {
        id: data.scanId,
        libraryId: data.libraryId,
        mode: data.mode,
        trigger: data.trigger,
        startedBy: data.startedBy,
        state: 'queued',
        startedAt: at,
        finishedAt: null,
        done: 0,
        total: 0,
        current: null,
        counts: NO_COUNTS,
        errors: [],
        error: null,
        from: position,
        to: null,
      }),
    ScanStarted: ({ data }) => change(data.scanId, (scan) => ({ ...scan, state: 'walking' })),
    ScanProgressed: ({ data }) =>
      change(data.scanId, (scan) => ({
        ...scan,
        state: data.phase,
        done: data.done,
        total: data.total,
        current: data.current,
        counts: data.counts,
      })),
    ScanCompleted: ({ data, ...end }) =>
      change(data.scanId, (scan) => ({
        ...scan,
        ...ended(end),
        state: 'completed',
        counts: data.counts,
        errors: data.errors,
        done: scan.total,
      })),
    ScanFailed: ({ data, ...end }) =>
      change(data.scanId, (scan) => ({
        ...scan,
        ...ended(end),
        state: 'failed',
        counts: data.counts,
        errors: data.errors,
        error: data.reason,
      })),
    ScanInterrupted: ({ data, ...end }) => change(data.scanId, (scan) => ({ ...scan, ...ended(end), state: 'interrupted' })),
    ScanCancelled: ({ data, ...end }) => change(data.scanId, (scan) => ({ ...scan, ...ended(end), state: 'cancelled' })),
  },
}

const ended = ({ at, position }: { readonly at: string; readonly position: Position }) => ({ finishedAt: at, current: null, to: position })
