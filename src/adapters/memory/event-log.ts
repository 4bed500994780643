/** Event log in memory: for tests, and as the simplest implementation of the port. */
import type { EncodedEvent, JsonObject, Metadata, StoredEvent } from '../../events/envelope.ts'
import { START, toPosition, type Position } from '../../events/position.ts'
import { AppendRefused, Conflict, type Appended, type EventLog, type Expected } from '../../ports/event-log.ts'
import { textsWithinLimits, type EventText } from '../shared/append-limits.ts'
import { createAppendNotifier, type AppendNotifier } from '../shared/append-notifier.ts'

const PAGE = 500

interface Row extends EventText {
  readonly stream: string
  readonly revision: number
  readonly position: Position
}

interface State {
  readonly all: Row[]
  readonly streams: Map<string, Row[]>
  readonly ids: Set<string>
  readonly notifier: AppendNotifier
  closed: boolean
}

export function createMemoryEventLog(): EventLog {
  const state: State = { all: [], streams: new Map(), ids: new Set(), notifier: createAppendNotifier(), closed: false }
  return {
    append: async (stream, expected, events) => append(state, stream, expected, events),
    read: (stream, from) => read(state, stream, from ?? 0),
    head: async () => state.all.at(-1)?.position ?? START,
    follow: (after, signal) => follow(state, after, signal),
    async close() {
      state.closed = true
      state.notifier.notify()
    },
  }
}

function append(state: State, stream: string, expected: Expected, events: readonly EncodedEvent[]): Appended {
  if (state.closed) throw new AppendRefused('The event log is closed')
  const texts = textsWithinLimits(stream, expected, events)
  const rows = state.streams.get(stream) ?? []
  const first = expected === 'absent' ? 0 : expected + 1
  if (rows.length !== first) return firstAnswer(rows, first, texts) ?? conflict(stream, expected, rows)
  const known = texts.find(({ id }) => state.ids.has(id))
  if (known) throw new AppendRefused(`An event with the id ${known.id} stands elsewhere in the log`)
  for (const text of texts) {
    const row = { ...text, stream, revision: rows.length, position: toPosition(state.all.length + 1) }
    rows.push(row)
    state.all.push(row)
    state.ids.add(text.id)
  }
  state.streams.set(stream, rows)
  state.notifier.notify()
  return { revision: rows.length - 1, position: toPosition(state.all.length) }
}

/** The first answer to the same append; undefined if this is another one. */
function firstAnswer(rows: readonly Row[], first: number, texts: readonly EventText[]): Appended | undefined {
  if (!texts.every((text, index) => rows[first + index]?.id === text.id)) return undefined
  const last = rows[first + texts.length - 1]
  return last && { revision: last.revision, position: last.position }
}

function conflict(stream: string, expected: Expected, rows: readonly Row[]): never {
  throw new Conflict(stream, expected, rows.length === 0 ? 'absent' : rows.length - 1)
}

async function* read(state: State, stream: string, from: number): AsyncGenerator<StoredEvent> {
  const rows = state.streams.get(stream) ?? []
  for (let revision = from; revision < rows.length; revision++) {
    const row = rows[revision]
    if (row) yield stored(row)
  }
}

async function* follow(state: State, after: Position, signal: AbortSignal): AsyncGenerator<readonly StoredEvent[]> {
  let next = Number(after)
  while (!signal.aborted) {
    if (state.closed) throw new Error('The event log is closed')
    const batch = state.all.slice(next, next + PAGE).map(stored)
    next += batch.length
    if (batch.length > 0) yield batch
    else await state.notifier.next(signal)
  }
}

/** Parsed again for each reader, as from a file: readers never share an object. */
function stored({ id, type, data, metadata, stream, revision, position }: Row): StoredEvent {
  return { id, type, data: JSON.parse(data) as JsonObject, metadata: JSON.parse(metadata) as Metadata, stream, revision, position }
}
