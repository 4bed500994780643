/** Writes snapshots as the log grows: on one node at a time, in the background, with at most half a CPU core. */
import { setImmediate } from 'node:timers/promises'
import { decodeKnown } from '../../events/codec.ts'
import type { JsonObject, StoredEvent } from '../../events/envelope.ts'
import { START, type Position } from '../../events/position.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog } from '../../ports/event-log.ts'
import { NoCollection, type ReadStore, type StoredDocument } from '../../ports/read-store.ts'
import { foldInto, PAST_VIEWS } from './past-views.ts'
import {
  blockDocuments,
  blocksOf,
  createSnapshots,
  endsDocument,
  FAN,
  headDocument,
  isOfOtherVersion,
  keyOf,
  lastEnd,
  LEVELS,
  lineOf,
  ownerOf,
  SNAPSHOTS,
  type BlockName,
  type Owner,
  type SnapshotLine,
  type Snapshots,
  type StretchEnd,
} from './snapshots.ts'

export interface SnapshotWriterDependencies {
  readonly log: EventLog
  readonly store: ReadStore
  readonly clock: Clock
  /** Fencing token: the token of the lease that it runs under. */
  readonly epoch: number
  /** Events per stretch; default 4,096. All snapshots of a store must use the same length. */
  readonly stretch?: number
}

const STRETCH = 4_096
const LOOK_EVERY_MS = 600_000
/** A shorter interval for noticing that the snapshots were dropped to be rebuilt. */
const GONE_EVERY_MS = 60_000
/** Size of a chunk in UTF-16 code units, after which the next one starts. */
const CHUNK = 262_144
/** A store in this process answers nothing while it takes them. */
const COMMIT_DOCUMENTS = 2

/** Runs until the signal. */
export async function keepSnapshots(deps: SnapshotWriterDependencies, signal: AbortSignal): Promise<void> {
  let looked: Position | undefined
  while (!signal.aborted) {
    const head = await deps.log.head()
    // Nothing to read if the log has not changed.
    if (head !== looked || !(await areThere(deps.store))) await writeUnlessDropped(deps, signal)
    looked = head
    for (let waited = 0; waited < LOOK_EVERY_MS && !signal.aborted && (await areThere(deps.store)); waited += GONE_EVERY_MS) {
      await deps.clock.sleep(GONE_EVERY_MS, signal)
    }
  }
}

const areThere = async (store: Pick<ReadStore, 'collections'>): Promise<boolean> => (await store.collections()).includes(SNAPSHOTS.name)

/** Snapshots that are dropped while they are written are written again, from the start of the log. */
async function writeUnlessDropped(deps: SnapshotWriterDependencies, signal: AbortSignal): Promise<void> {
  try {
    await writeSnapshots(deps, signal)
  } catch (cause) {
    if (!(cause instanceof NoCollection)) throw cause
  }
}

/** Writes the snapshots of all complete stretches in the current log. @throws Error if another node writes them */
export async function writeSnapshots(deps: SnapshotWriterDependencies, signal: AbortSignal): Promise<void> {
  const { log, store, clock, stretch = STRETCH } = deps
  for (const collection of (await store.collections()).filter(isOfOtherVersion)) await store.drop(collection)
  await store.open([SNAPSHOTS])
  const snapshots = createSnapshots(store)
  const ends = [...(await snapshots.ends())]
  const start = lastEnd(ends, () => false)
  const head = await log.head()
  let waiting: StoredEvent[] = []
  let states: States | undefined
  let { latestMs } = start
  let workedFromMs = clock.monotonic()
  for await (const batch of start.position < head ? log.follow(start.position, signal) : []) {
    waiting.push(...batch)
    for (; waiting.length >= stretch; waiting = waiting.slice(stretch)) {
      // Load late: most of the time the log has not grown by a stretch.
      states ??= await loadStates(snapshots, start.number)
      const events = waiting.slice(0, stretch)
      latestMs = events.reduce((latest, { metadata }) => Math.max(latest, Date.parse(metadata.at)), latestMs)
      ends.push({ position: events.at(-1)?.position ?? START, latestMs })
      await writeBlocks({ ...deps, snapshots }, ends, foldStretch(states, events))
    }
    await clock.sleep(Math.ceil(clock.monotonic() - workedFromMs), signal)
    if (signal.aborted || (batch.at(-1)?.position ?? START) >= head) return
    workedFromMs = clock.monotonic()
  }
}

/** Documents as JSON, which takes a third of the memory, by key. */
type States = Map<string, string>

async function loadStates(snapshots: Snapshots, stretches: number): Promise<States> {
  const states: States = new Map()
  const blocks = blocksOf(stretches)
  for (const owner of await snapshots.owners(blocks)) {
    for await (const lines of snapshots.lines(blocks, owner)) for (const { key, text } of lines) if (text) states.set(key, text)
  }
  return states
}

/** The documents that the events change; updates the states too. */
function foldStretch(states: States, events: readonly StoredEvent[]): ReadonlyMap<Owner, readonly SnapshotLine[]> {
  const touched = new Map<string, JsonObject | undefined>()
  const read = (key: string): JsonObject | undefined => {
    const text = states.get(key)
    return text === undefined ? undefined : (JSON.parse(text) as JsonObject)
  }
  const documents = PAST_VIEWS.map((_, view) => ({
    get(id: string) {
      const key = keyOf(view, id)
      return touched.has(key) ? touched.get(key) : read(key)
    },
    set: (id: string, body: JsonObject | undefined) => void touched.set(keyOf(view, id), body),
  }))
  for (const stored of events) {
    const event = decodeKnown(stored)
    if (event) for (const [view, own] of documents.entries()) foldInto(own, PAST_VIEWS[view]!, event)
  }
  const changed = new Map<Owner, SnapshotLine[]>()
  for (const [key, body] of touched) {
    const before = read(key)
    const owned = body ?? before
    if (!owned) continue
    const line = { key, text: body ? JSON.stringify(body) : '' }
    if (body) states.set(key, line.text)
    else states.delete(key)
    const owner = ownerOf(owned)
    const lines = changed.get(owner)
    if (lines) lines.push(line)
    else changed.set(owner, [line])
  }
  return changed
}

interface BlockWriter extends SnapshotWriterDependencies {
  readonly snapshots: Snapshots
}

/** Writes the block of the last stretch, the higher blocks that end with it, and last the document that makes them valid. */
async function writeBlocks(
  writer: BlockWriter,
  ends: readonly StretchEnd[],
  changed: ReadonlyMap<Owner, readonly SnapshotLine[]>,
): Promise<void> {
  const { length } = ends
  const at = ends.at(-1)?.position ?? START
  const before = ends.at(-2)?.position ?? START
  const chunks = new Map([...changed].map(([owner, lines]) => [owner, chunksOf(lines)]))
  await commit(writer, before, blockDocuments({ level: 0, index: length - 1 }, chunks, at))
  for (let level = 1; level < LEVELS && length % FAN ** level === 0; level++) {
    const block = { level, index: length / FAN ** level - 1 }
    await commit(writer, before, blockDocuments(block, await summedUp(writer.snapshots, block), at))
  }
  await commit(writer, before, [endsDocument(ends, at), headDocument(length, at)], at)
}

async function summedUp(snapshots: Snapshots, { level, index }: BlockName): Promise<ReadonlyMap<Owner, readonly string[]>> {
  const parts = Array.from({ length: FAN }, (_, part) => ({ level: level - 1, index: (index + 1) * FAN - 1 - part }))
  const chunks = new Map<Owner, readonly string[]>()
  for (const owner of await snapshots.owners(parts)) {
    const lines: SnapshotLine[] = []
    for await (const some of snapshots.lines(parts, owner)) lines.push(...some)
    chunks.set(owner, chunksOf(lines))
  }
  return chunks
}

function chunksOf(lines: readonly SnapshotLine[]): readonly string[] {
  const chunks: string[] = []
  let chunk: string[] = []
  let size = 0
  for (const line of lines.map(lineOf)) {
    chunk.push(line)
    size += line.length
    if (size < CHUNK) continue
    chunks.push(chunk.join('\n'))
    chunk = []
    size = 0
  }
  return chunk.length === 0 ? chunks : [...chunks, chunk.join('\n')]
}

/** Commits in steps that a store can take at once. After a crash between them the same documents are written again. */
async function commit(
  { store, epoch }: BlockWriter,
  from: Position,
  documents: Iterable<StoredDocument>,
  to: Position = from,
): Promise<void> {
  const put = async (puts: readonly StoredDocument[]) => {
    const outcome = await store.commit({ collection: SNAPSHOTS.name, epoch, from, to, puts, removes: [] })
    if (outcome === 'fenced') throw new Error('Another node makes the snapshots of the log')
    await setImmediate()
  }
  let puts: StoredDocument[] = []
  for (const document of documents) {
    puts.push(document)
    if (puts.length === COMMIT_DOCUMENTS) await put(puts.splice(0))
  }
  if (puts.length > 0) await put(puts)
}
