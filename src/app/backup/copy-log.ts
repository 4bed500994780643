/**
 * Copies a log to another place, event by event in their order, so that ids, times, hashes and the Merkle tree stay as they are. A copy that
 * was interrupted continues after the events that are there.
 */
import type { EncodedEvent, StoredEvent } from '../../events/envelope.ts'
import { logEntry } from '../../events/log-entry.ts'
import { grow, leafHash, rootOf, type Hash, type Tree } from '../../events/merkle-tree.ts'
import { START, type Position } from '../../events/position.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import { MAX_APPEND_BYTES, OutcomeUnknown, type EventLog } from '../../ports/event-log.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import { partsOf } from '../commands/append-parts.ts'

export type LogToRead = Pick<EventLog, 'head' | 'follow'>

export interface LogToFill extends LogToRead {
  /** Adds events after those that are there, in this order. They are durable when it settles. */
  add(this: void, events: readonly StoredEvent[]): Promise<void>
}

export interface CopyLogOptions {
  readonly from: LogToRead
  readonly to: LogToFill
  /** Receives the number of events that are there. */
  readonly step: (events: number) => void
  readonly signal: AbortSignal
}

export interface CopiedLog {
  /** Of the log up to its head when the copy began. */
  readonly tree: Tree
  readonly head: Position
  /** Number of events that this copy has added. */
  readonly added: number
  /** Digest of the vault that the log names as its own; undefined if it names none. */
  readonly vault: string | undefined
}

const STEP_EVENTS = 10_000
const BATCH = 500
/** Characters of data after which a batch is closed. */
const BATCH_LENGTH = 4 * 1024 * 1024

/** Refusal: `conflict`, if the events that are there are not the first ones of this log. @throws UnreadableEvent */
export async function copyLog({ from, to, step, signal }: CopyLogOptions): Promise<CopiedLog | Refusal> {
  const head = await from.head()
  const tree = growingTree()
  const source = eventsUpTo(from, head, signal)
  for await (const there of eventsUpTo(to, await to.head(), signal)) {
    const { value: here } = await source.next()
    if (!here || !isSame(here, there)) return otherLog(tree.size() + 1, there)
    tree.add(here)
    if (tree.size() % STEP_EVENTS === 0) step(tree.size())
  }
  const before = tree.size()
  for await (const batch of inBatches(source)) {
    await to.add(batch)
    const stepped = Math.floor(tree.size() / STEP_EVENTS)
    for (const event of batch) tree.add(event)
    if (Math.floor(tree.size() / STEP_EVENTS) > stepped) step(tree.size())
  }
  return { tree: tree.now(), head, added: tree.size() - before, vault: tree.vault() }
}

function growingTree() {
  const frontier: Hash[] = []
  let size = 0
  let vault: string | undefined
  return {
    add(event: StoredEvent): void {
      grow(frontier, size, leafHash(logEntry(event)))
      size++
      const digest = event.type === 'VaultAdopted' ? event.data['digest'] : undefined
      if (typeof digest === 'string') vault = digest
    },
    size: (): number => size,
    vault: (): string | undefined => vault,
    now: (): Tree => ({ size, root: rootOf(frontier) }),
  }
}

/** The hash covers everything else; whether it fits the event is verified at the end. */
const isSame = (a: StoredEvent, b: StoredEvent): boolean =>
  a.id === b.id && a.stream === b.stream && a.revision === b.revision && a.metadata.hash === b.metadata.hash

const otherLog = (number: number, { type, stream }: StoredEvent): Refusal =>
  refuse('conflict', `The other log is not the beginning of this one: its event ${number} (${type} of ${stream}) is not here`)

async function* eventsUpTo(log: LogToRead, head: Position, signal: AbortSignal): AsyncGenerator<StoredEvent> {
  if (head === START) return
  for await (const batch of log.follow(START, signal)) {
    for (const event of batch) {
      if (event.position > head) return
      yield event
      if (event.position === head) return
    }
  }
  signal.throwIfAborted()
}

async function* inBatches(events: AsyncIterable<StoredEvent>): AsyncGenerator<readonly StoredEvent[]> {
  let batch: StoredEvent[] = []
  let length = 0
  for await (const event of events) {
    batch.push(event)
    length += JSON.stringify(event.data).length
    if (batch.length < BATCH && length < BATCH_LENGTH) continue
    yield batch
    batch = []
    length = 0
  }
  if (batch.length > 0) yield batch
}

export interface AddToServerOptions {
  readonly log: Pick<EventLog, 'append'>
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Events of one append: an append that takes long may be sent twice. */
const APPEND = 200
const TRIES = 30
const PAUSE_MS = 1_000

/** `add` for a server: one append after the other, since their order is that of the log. */
export function addToServer({ log, clock, signal }: AddToServerOptions): LogToFill['add'] {
  async function append(events: readonly StoredEvent[]): Promise<void> {
    const [first] = events
    if (!first) return
    const expected = first.revision === 0 ? 'absent' : first.revision - 1
    for (let tries = 1; ; tries++) {
      try {
        await log.append(first.stream, expected, events.map(encoded))
        return
      } catch (cause) {
        // The same ids: an event that was stored nevertheless is not stored twice.
        const isWorthRepeating = cause instanceof OutcomeUnknown || cause instanceof ServerUnavailable
        if (!isWorthRepeating || tries === TRIES) throw cause
        await clock.sleep(PAUSE_MS, signal)
      }
    }
  }
  return async (events) => {
    for (const group of byStream(events)) {
      signal.throwIfAborted()
      await append(group)
    }
  }
}

const encoded = ({ id, type, data, metadata }: StoredEvent): EncodedEvent => ({ id, type, data, metadata })

/** Neighbours of the same stream together, within the limits of an append. */
const byStream = (events: readonly StoredEvent[]): readonly (readonly StoredEvent[])[] =>
  partsOf(events, {
    itemsMax: APPEND,
    bytesMax: MAX_APPEND_BYTES,
    measured: ({ data }) => data,
    joins: ({ stream }, before) => stream === before.stream,
  })
