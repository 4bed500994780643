/** Ways to tamper with the events of a log whatever engine keeps them, as edits of the whole log: what tamperings.ts does to a file. */
import type { DomainEvent } from '../../../src/events/catalogue.ts'
import { encode } from '../../../src/events/codec.ts'
import type { JsonObject, Metadata, StoredEvent } from '../../../src/events/envelope.ts'
import { toPosition, type Position } from '../../../src/events/position.ts'
import { UnreadableEvent } from '../../../src/ports/event-log.ts'
import { named } from '../../fixtures/names.ts'
import type { Random } from '../../fixtures/random.ts'
import type { Tampering, Way } from './tamperings.ts'

/** As an engine keeps it. */
export interface Kept {
  readonly position: Position
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly data: string
  readonly metadata: string
}

/** So many are removed at an index of the whole log, and others come in their place. */
export type Edit = readonly [index: number, removed: number, added: readonly Kept[]]

export interface TamperedEvents {
  readonly did: Tampering
  /** In rising order. */
  readonly edits: readonly Edit[]
}

/** Nothing is closed up in a log whose positions have gaps. */
export const EVENT_WAYS = ['flip', 'drop', 'swap', 'insert', 'truncate', 'rewrite', 'date'] as const satisfies readonly Way[]

const LATER_MS = 12 * 3_600_000

export const keptOf = ({ position, stream, revision, id, type, data, metadata }: StoredEvent): Kept => ({
  position,
  stream,
  revision,
  id,
  type,
  data: JSON.stringify(data),
  metadata: JSON.stringify(metadata),
})

export function readAgain({ data, metadata, ...place }: Kept): StoredEvent | UnreadableEvent {
  try {
    return { ...place, data: JSON.parse(data) as JsonObject, metadata: JSON.parse(metadata) as Metadata }
  } catch (cause) {
    return new UnreadableEvent(place, String(cause), { cause })
  }
}

export function tamperEvents(whole: readonly Kept[], way: (typeof EVENT_WAYS)[number], random: Random): TamperedEvents {
  // Not among the last ones, so that a second event can be chosen after it.
  const index = random.below(whole.length - 10)
  const kept = whole[index]
  if (!kept) throw new RangeError('The log is empty')
  return { did: { way, seq: index + 1, stream: kept.stream }, edits: WAYS[way](whole, { index, kept, random }) }
}

interface Choice {
  readonly index: number
  readonly kept: Kept
  readonly random: Random
}

type Tamper = (whole: readonly Kept[], choice: Choice) => readonly Edit[]

const WAYS: Readonly<Record<(typeof EVENT_WAYS)[number], Tamper>> = {
  flip(_, { index, kept, random }) {
    const column = random.pick(['data', 'metadata'] as const)
    const text = kept[column]
    const at = random.pick([...text.matchAll(/[a-z0-9]/g)].map((found) => found.index))
    return [[index, 1, [{ ...kept, [column]: text.slice(0, at) + (text[at] === '7' ? '6' : '7') + text.slice(at + 1) }]]]
  },
  drop: (_, { index }) => [[index, 1, []]],
  swap(whole, { index, kept, random }) {
    const between = whole.slice(index + 1, index + 2 + random.below(5))
    const other = between.at(-1) ?? kept
    const moved = [{ ...other, position: kept.position }, ...between.slice(0, -1), { ...kept, position: other.position }]
    return [[index, moved.length, moved]]
  },
  insert(whole, { index, kept, random }) {
    const id = `10000000-0000-4000-8000-${String(random.below(1e9)).padStart(12, '0')}`
    const data = { libraryId: named<'library'>('films'), name: 'forged' }
    const metadata = { at: metadataOf(kept).at, actor: 'system' }
    const forged = { ...kept, position: toPosition(BigInt(kept.position) - 1n), id, type: 'LibraryRenamed', data: JSON.stringify(data) }
    const later = laterOf(whole, index - 1, kept.stream).map(([at, one]) => [at, { ...one, revision: one.revision + 1 }] as const)
    const made = rehashed([[index, { ...forged, metadata: JSON.stringify(metadata) }], ...later], prevOf(kept)).map(([, one]) => one)
    return later.map(([at], n): Edit => (n === 0 ? [at, 1, made.slice(0, 2)] : [at, 1, made.slice(n + 1, n + 2)]))
  },
  truncate: (whole, { index }) => [[index, whole.length - index, []]],
  rewrite(whole, { index, kept }) {
    const data = JSON.stringify({ ...(JSON.parse(kept.data) as JsonObject), name: 'forged' })
    return rehashedEdits([[index, { ...kept, data }], ...laterOf(whole, index, kept.stream)], prevOf(kept))
  },
  date(whole, { index, kept }) {
    const at = new Date(Date.parse(metadataOf(kept).at) + LATER_MS).toISOString()
    const metadata = JSON.stringify({ ...metadataOf(kept), at })
    return rehashedEdits([[index, { ...kept, metadata }], ...laterOf(whole, index, kept.stream)], prevOf(kept))
  },
}

const metadataOf = ({ metadata }: Kept): Metadata => JSON.parse(metadata) as Metadata
const prevOf = (kept: Kept): string => metadataOf(kept).prev

type Indexed = readonly [index: number, kept: Kept]

/** Those of a stream after an index. */
const laterOf = (whole: readonly Kept[], index: number, stream: string): readonly Indexed[] =>
  whole.flatMap((kept, at): readonly Indexed[] => (at > index && kept.stream === stream ? [[at, kept]] : []))

/** Hashes that fit. */
function rehashed(events: readonly Indexed[], prev: string): readonly Indexed[] {
  let before = prev
  return events.map(([index, kept]) => {
    const { v: _v, prev: _prev, hash: _hash, ...origin } = metadataOf(kept)
    const event = { type: kept.type, data: JSON.parse(kept.data) as JsonObject } as unknown as DomainEvent
    const { metadata } = encode(kept.id, event, origin, { stream: kept.stream, revision: kept.revision, prev: before })
    before = metadata.hash
    return [index, { ...kept, metadata: JSON.stringify(metadata) }]
  })
}

const rehashedEdits = (events: readonly Indexed[], prev: string): readonly Edit[] =>
  rehashed(events, prev).map(([index, kept]): Edit => [index, 1, [kept]])
