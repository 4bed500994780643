/**
 * Reports events that a view cannot fold, such as one whose data does not match its type. The view continues without the event: if it
 * stopped there, it would miss all later events too.
 */
import type { RecordedEvent } from '../../src/events/recorded.ts'

export type UnfoldableEvent = (view: { readonly name: string }, event: RecordedEvent, cause: unknown) => void

const REPORTED_MAX = 1_000

/** Reports each event once per view, even if it is folded again after a restart of the view. */
export function createUnfoldableEvents(onError: (cause: unknown) => void): UnfoldableEvent {
  const reported = new Set<string>()
  return ({ name }, { position, stream, revision, type }, cause) => {
    const key = `${name} ${position}`
    if (reported.has(key) || reported.size >= REPORTED_MAX) return
    reported.add(key)
    const place = `position ${BigInt(position)} (stream ${stream}, revision ${revision}, ${type})`
    onError(new Error(`The view ${name} leaves out the event at ${place}, which it cannot fold`, { cause }))
  }
}
