/**
 * Scan of a library: one at a time. Each library has one stream, so that the expected revision lets exactly one of N racing requests win.
 */
import type { EventData, EventOf } from '../../events/catalogue.ts'
import type { ScanCancelReason, ScanTrigger } from '../../events/library-events.ts'
import type { LibraryId, ScanId } from '../../vocabulary/id.ts'
import type { Decider, Decision } from '../decider.ts'
import { refuse } from '../refusal.ts'

export interface ScanState {
  readonly running: { readonly scanId: ScanId; readonly libraryId: LibraryId; readonly trigger: ScanTrigger } | null
}

export const scan: Decider<ScanState> = {
  initial: { running: null },
  evolve: (state, event) => {
    switch (event.type) {
      case 'ScanRequested':
        return { running: { scanId: event.data.scanId, libraryId: event.data.libraryId, trigger: event.data.trigger } }
      case 'ScanCompleted':
      case 'ScanFailed':
      case 'ScanInterrupted':
      case 'ScanCancelled':
        return state.running?.scanId === event.data.scanId ? { running: null } : state
      default:
        return state
    }
  },
}

/** Automatic scans give way to requested ones. */
const GIVES_WAY: ReadonlySet<ScanTrigger> = new Set<ScanTrigger>(['watcher', 'schedule'])

export const requestScan =
  (data: EventData['ScanRequested']) =>
  ({ running }: ScanState): Decision => {
    const requested = { type: 'ScanRequested', data } as const
    if (!running) return [requested]
    if (running.scanId === data.scanId) return []
    if (data.trigger !== 'manual' || !GIVES_WAY.has(running.trigger)) return refuse('conflict', 'A scan is already running')
    const { scanId, libraryId } = running
    return [{ type: 'ScanCancelled', data: { scanId, libraryId, reason: 'taken-over' } }, requested]
  }

/** Records an event of a running scan; `conflict` if it is no longer the running one. */
export const recordScan =
  (event: EventOf<'ScanStarted' | 'ScanProgressed' | 'ScanCompleted' | 'ScanFailed'>) =>
  ({ running }: ScanState): Decision =>
    running?.scanId === event.data.scanId ? [event] : refuse('conflict', 'This scan has ended')

export const cancelScan =
  (reason: ScanCancelReason) =>
  ({ running }: ScanState): Decision => {
    if (!running) return refuse('not-found', 'No scan is running')
    const { scanId, libraryId } = running
    return [{ type: 'ScanCancelled', data: { scanId, libraryId, reason } }]
  }

/** Records that the process of a scan is gone. Does nothing if another scan runs by now. */
export const interruptScan =
  (gone: ScanId) =>
  ({ running }: ScanState): Decision => {
    if (running?.scanId !== gone) return []
    const { scanId, libraryId } = running
    return [{ type: 'ScanInterrupted', data: { scanId, libraryId } }]
  }
