/**
 * Decider: the state of one stream as a fold of its events. A command is a pure function from that state to new events, or to a refusal; no
 * events means that the wanted state is already reached.
 */
import type { DomainEvent } from '../events/catalogue.ts'
import type { Refusal } from './refusal.ts'

export interface Decider<State> {
  readonly initial: State
  /** `at` is the time of the event's append. Irrelevant event types leave the state unchanged. */
  readonly evolve: (state: State, event: DomainEvent, at: string) => State
}

export type Decision = readonly DomainEvent[] | Refusal
