/** Keeps all events in memory, by position and by stream, with the metadata that controls their visibility. It writes nothing to disk. */
import { FIRST_POSITION, FRAME_HEADER_BYTES } from './log-file.ts'
import { DELETED_REVISION, type Recorded } from './recorded.ts'
import { describedBy, isSoftDeleted, NO_METADATA, readMetadata, type StreamMetadata } from './stream-metadata.ts'

export interface Stream {
  /** Ordered by revision, with gaps after a scavenge; without the tombstone. */
  readonly events: readonly Recorded[]
  /** -1 if the stream was never written. */
  readonly lastRevision: number
  readonly tombstoned: boolean
  readonly metadata: StreamMetadata
}

/** Where an id was last stored. */
export interface Known {
  readonly stream: string
  readonly revision: number
}

export interface Store {
  /** Every event in the order of positions. A scavenge replaces the list, so that current readers continue undisturbed. */
  readonly all: () => readonly Recorded[]
  readonly stream: (name: string) => Stream
  readonly known: (id: string) => Known | undefined
  readonly add: (events: readonly Recorded[]) => void
  /** Replaces everything with the events that a scavenge kept. Ids stay known until the process ends, like on the real server. */
  readonly replace: (events: readonly Recorded[]) => void
  /** Calls the listener after each commit; the returned function unsubscribes. */
  readonly onCommit: (listener: () => void) => () => void
  readonly committed: () => void
}

interface Mutable {
  events: Recorded[]
  lastRevision: number
  tombstoned: boolean
  metadata: StreamMetadata
}

const METASTREAM: StreamMetadata = { maxCount: 1, written: {} }
const EMPTY: Stream = { events: [], lastRevision: -1, tombstoned: false, metadata: NO_METADATA }

export function createStore(): Store {
  let all: Recorded[] = []
  let streams = new Map<string, Mutable>()
  const ids = new Map<string, Known>()
  const listeners = new Set<() => void>()

  function mutable(name: string): Mutable {
    const known = streams.get(name)
    if (known) return known
    const stream = { ...EMPTY, events: [] }
    streams.set(name, stream)
    return stream
  }

  function addOne(event: Recorded): void {
    all.push(event)
    ids.set(event.id, event)
    const stream = mutable(event.stream)
    stream.lastRevision = event.revision
    if (event.revision === DELETED_REVISION) stream.tombstoned = true
    else stream.events.push(event)
    const described = describedBy(event.stream)
    if (described !== undefined) mutable(described).metadata = readMetadata(event)
  }

  /** Metastreams have no metadata: only their last event counts, and they are deleted with their stream. */
  function stream(name: string): Stream {
    const found = streams.get(name) ?? EMPTY
    const described = describedBy(name)
    if (described === undefined) return found
    return { ...found, metadata: METASTREAM, tombstoned: streams.get(described)?.tombstoned ?? found.tombstoned }
  }

  return {
    all: () => all,
    stream,
    known: (id) => ids.get(id),
    add: (events) => events.forEach(addOne),
    replace(events) {
      ;[all, streams] = [[], new Map()]
      events.forEach(addOne)
    },
    onCommit(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    committed: () => [...listeners].forEach((listener) => listener()),
  }
}

/** Whether a read of the stream finds it. */
export const exists = ({ lastRevision, metadata }: Stream): boolean => lastRevision >= 0 && !isSoftDeleted(metadata)

/** The events of the stream that its metadata leaves visible. */
export function visible({ events, lastRevision, metadata, tombstoned }: Stream, nowMs: number): readonly Recorded[] {
  if (tombstoned) return []
  const { truncateBefore = 0, maxCount, maxAgeMs } = metadata
  const first = Math.max(truncateBefore, maxCount === undefined ? 0 : lastRevision + 1 - maxCount)
  if (first === 0 && maxAgeMs === undefined) return events
  return events.filter(({ revision, createdMs }) => revision >= first && (maxAgeMs === undefined || createdMs > nowMs - maxAgeMs))
}

/** Index of the first event whose `key` is at or above the value, in a list sorted by it. */
export function firstAtOrAbove(events: readonly Recorded[], value: number, key: 'position' | 'revision'): number {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((events[middle]?.[key] ?? Infinity) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether a reader may start there: at a record, in a gap left by a scavenge, at the start or past the end. */
export function isReadable(events: readonly Recorded[], position: number): boolean {
  const next = events[firstAtOrAbove(events, position, 'position')]
  if (position === 0 || !next || next.position === position) return true
  const before = events[firstAtOrAbove(events, position, 'position') - 1]
  const endBefore = before?.endPosition ?? FIRST_POSITION
  return position >= endBefore && next.position - endBefore > FRAME_HEADER_BYTES
}
