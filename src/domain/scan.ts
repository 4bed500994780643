/** Scan of a library: one at a time. One stream a library, so that the expected revision lets one of N racing requests win. */
import type { EventData, EventOf } from '../events/catalogue.ts'
import type { LibraryId, ScanId } from '../events/id.ts'
import type { Decider, Decision } from './decider.ts'
import { refuse } from './refusal.ts'

export interface ScanState {
  readonly running: { readonly scanId: ScanId; readonly libraryId: LibraryId } | null
}

export const scan: Decider<ScanState> = {
  initial: { running: null },
  evolve: (state, event) => {
    switch (event.type) {
      case 'ScanRequested':
        return { running: { scanId: event.data.scanId, libraryId: event.data.libraryId } }
      case 'ScanCompleted':
      case 'ScanFailed':
      case 'ScanInterrupted':
        return state.running?.scanId === event.data.scanId ? { running: null } : state
      default:
        return state
    }
  },
}

export const requestScan =
  (data: EventData['ScanRequested']) =>
  ({ running }: ScanState): Decision =>
    running ? refuse('conflict', 'A scan is already running') : [{ type: 'ScanRequested', data }]

/** Records what happens in a running scan; `conflict` when it is no longer the running one. */
export const recordScan =
  (event: EventOf<'ScanStarted' | 'ScanProgressed' | 'ScanCompleted' | 'ScanFailed'>) =>
  ({ running }: ScanState): Decision =>
    running?.scanId === event.data.scanId ? [event] : refuse('conflict', 'This scan has ended')

/** The program that ran it is gone. */
export const interruptScan = ({ running }: ScanState): Decision => (running ? [{ type: 'ScanInterrupted', data: running }] : [])
