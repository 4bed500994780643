/** Messages between the event log and its writer thread: arrays of appends one way, arrays of answers the other. */
import type { Expected } from '../../ports/event-log.ts'
import type { StorageTroubleCode } from '../../ports/server.ts'
import type { EventText } from '../shared/append-limits.ts'

export interface AppendOrder {
  /** Number that identifies the answer. */
  readonly order: number
  readonly stream: string
  readonly expected: Expected
  readonly events: readonly EventText[]
}

/** `close`: write the queued appends, then end. */
export type ToWriter = readonly AppendOrder[] | 'close'

export type AppendAnswer = { readonly order: number } &
  /** `isRepeated`: it was stored before. */
  (
    | { readonly outcome: 'stored'; readonly revision: number; readonly position: number; readonly isRepeated: boolean }
    | { readonly outcome: 'conflict'; readonly actual: Expected }
    | { readonly outcome: 'refused' | 'unknown'; readonly message: string }
    /** Nothing was stored, because of the file or its disk. */
    | { readonly outcome: 'trouble'; readonly trouble: StorageTroubleCode; readonly message: string }
  )

export type FromWriter = readonly AppendAnswer[]
