/** Given what happened in a stream, when a command is decided, then: new events (none: it holds already) or a refusal. */
import type { DomainEvent } from '../src/events/catalogue.ts'
import type { Decider, Decision } from '../src/domain/decider.ts'

/** 2026-01-02T12:00:00.000Z, when everything given has happened unless it says otherwise. */
export const NOON = Date.parse('2026-01-02T12:00:00.000Z')
export const iso = (ms: number): string => new Date(ms).toISOString()

export type Happened = DomainEvent & { readonly atMs?: number }

export function given<State>(decider: Decider<State>, ...past: readonly Happened[]) {
  const state = past.reduce((before, { atMs = NOON, ...event }) => decider.evolve(before, event, iso(atMs)), decider.initial)
  return { state, when: (decide: (state: State) => Decision): Decision => decide(state) }
}
