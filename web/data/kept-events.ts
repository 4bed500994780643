/**
 * The last events that the tab with the stream has passed on. What a new tab asked for first may be older than what it has heard since:
 * it gets from here what lies between. Pure.
 */
import type { LiveMessage } from './leader.ts'

export interface KeptEvents {
  /** Position in the log: all events after it are here. */
  readonly from: number
  readonly events: readonly LiveMessage[]
}

const MOST = 100

export function keepEvent({ from, events }: KeptEvents, event: LiveMessage): KeptEvents {
  const all = [...events, event]
  return all.length > MOST ? { from: Number(all[0]?.id), events: all.slice(1) } : { from, events: all }
}

/** Undefined if some of them are no longer here. */
export const eventsSince = ({ from, events }: KeptEvents, since: number): readonly LiveMessage[] | undefined =>
  since < from ? undefined : events.filter(({ id }) => Number(id) > since)
