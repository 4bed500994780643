/**
 * Decides whether an append is stored, is a repeat, or is rejected: the rules of the real server's index writer. It compares only ids,
 * never data, and only together with the expected revision.
 */
import type { Recorded } from './recorded.ts'
import { exists, firstAtOrAbove, visible, type Store, type Stream } from './store.ts'
import { isSoftDeleted } from './stream-metadata.ts'

export type Expected = number | 'any' | 'no-stream' | 'stream-exists'

export interface Attempt {
  readonly stream: string
  readonly expected: Expected
  readonly ids: readonly string[]
}

export type Check =
  | { readonly type: 'store' }
  | { readonly type: 'repeat'; readonly revision: number; readonly position?: number }
  /** `actual` is missing for a stream without events. */
  | { readonly type: 'wrong-version'; readonly actual?: number }
  | { readonly type: 'deleted' }

export function checkCommit(store: Store, attempt: Attempt): Check {
  const stream = store.stream(attempt.stream)
  if (stream.tombstoned) return { type: 'deleted' }
  const { expected } = attempt
  if (expected === 'stream-exists' && !exists(stream)) return wrongVersion(stream)
  if (expected === 'any' || expected === 'stream-exists') return checkByIds(store, attempt, stream)
  const revision = expected === 'no-stream' ? -1 : expected
  if (revision === stream.lastRevision) return { type: 'store' }
  return revision > stream.lastRevision ? wrongVersion(stream) : checkByPlace(store, attempt, revision)
}

/** Without an expected revision: all ids are in this stream, anywhere. */
function checkByIds(store: Store, { stream: name, ids }: Attempt, stream: Stream): Check {
  const places = ids.map((id) => store.known(id)).map((place) => (place?.stream === name ? place.revision : undefined))
  const last = places.at(-1)
  if (places[0] === undefined) return { type: 'store' }
  return last === undefined || places.includes(undefined) ? wrongVersion(stream) : repeat(stream, last)
}

/** The ids directly follow the expected revision, in order. */
function checkByPlace(store: Store, { stream: name, expected, ids }: Attempt, revision: number): Check {
  const stream = store.stream(name)
  const stands = (id: string, index: number) => {
    const known = store.known(id)
    const at = revision + 1 + index
    return (known?.stream === name && known.revision === at) || eventAt(stream, at)?.id === id
  }
  const first = ids[0]
  if (first === undefined) return wrongVersion(stream)
  if (expected === 'no-stream' && isSoftDeleted(stream.metadata) && !stands(first, 0)) return { type: 'store' }
  return ids.every(stands) ? repeat(stream, revision + ids.length) : wrongVersion(stream)
}

function eventAt({ events }: Stream, revision: number): Recorded | undefined {
  const event = events[firstAtOrAbove(events, revision, 'revision')]
  return event?.revision === revision ? event : undefined
}

/** The reply contains the position only if the event can still be read. */
function repeat(stream: Stream, revision: number): Check {
  const event = visible(stream, Date.now()).find((event) => event.revision === revision)
  return { type: 'repeat', revision, ...(event ? { position: event.position } : {}) }
}

const wrongVersion = ({ lastRevision }: Stream): Check => ({
  type: 'wrong-version',
  ...(lastRevision >= 0 ? { actual: lastRevision } : {}),
})
