/** Transcode job: requested and assigned in one step, and ended once; the first recorded outcome counts. */
import type { EventOf } from '../../events/catalogue.ts'
import type { Decider, Decision } from '../decider.ts'

export interface TranscodeState {
  readonly begun: boolean
  readonly ended: boolean
}

export type TranscodeEnd = EventOf<'TranscodeReassigned' | 'TranscodeFailed' | 'TranscodeStopped'>

export const transcode: Decider<TranscodeState> = {
  initial: { begun: false, ended: false },
  evolve: (state, event) => {
    switch (event.type) {
      case 'TranscodeRequested':
        return { ...state, begun: true }
      case 'TranscodeReassigned':
      case 'TranscodeFailed':
      case 'TranscodeStopped':
        return { ...state, ended: true }
      default:
        return state
    }
  },
}

export const assignTranscode =
  (...events: readonly [EventOf<'TranscodeRequested'>, EventOf<'TranscodeAssigned'>]) =>
  ({ begun }: TranscodeState): Decision =>
    begun ? [] : events

export const endTranscode =
  (end: TranscodeEnd) =>
  ({ begun, ended }: TranscodeState): Decision =>
    begun && !ended ? [end] : []
