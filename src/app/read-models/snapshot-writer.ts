/** Writes snapshots as the log grows: on one node at a time, in the background, with at most half a CPU core. */
import { setImmediate } from 'node:timers/promises'
import { decodeKnown } from '../../events/codec.ts'
import type { JsonObject, StoredEvent } from '../../events/envelope.ts'
import { START, type Position } from '../../events/position.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog } from '../../ports/event-log.ts'
import { NoCollection, type ReadStore, type StoredDocument } from '../../ports/read-store.ts'
import type { UserId } from '../../vocabulary/id.ts'
import { foldInto, PAST_VIEWS, pastOperations } from './past-views.ts'
import { blockDocuments, mergedRows, type Rows } from './snapshot-blocks.ts'
import {
  blocksOf,
  createSnapshots,
  endsDocument,
  FAN,
  headDocument,
  isOfOtherVersion,
  lastEnd,
  latestVersions,
  LEVELS,
  NOBODY,
  SNAPSHOTS,
  type BlockName,
  type Owner,
  type Section,
  type Snapshots,
  type StretchEnd,
  type Versions,
} from './snapshots.ts'

export interface SnapshotWriterDependencies {
  readonly log: EventLog
  readonly store: ReadStore
  readonly clock: Clock
  /** Fencing token: the token of the lease that it runs under. */
  readonly epoch: number
  /** Events per stretch; default 1,024. All snapshots of a store must use the same length. */
  readonly stretch?: number
}

const STRETCH = 1_024
/** Also for noticing that the snapshots were dropped to be rebuilt. */
const LOOK_EVERY_MS = 60_000
/** Of some 20 KB each. A store in this process answers nothing while it takes them, about 3 ms. */
const COMMIT_DOCUMENTS = 64

/** Runs until the signal. */
export async function keepSnapshots(deps: SnapshotWriterDependencies, signal: AbortSignal): Promise<void> {
  let looked: Position | undefined
  while (!signal.aborted) {
    const head = await deps.log.head()
    // Nothing to read if the log has not changed.
    if (head !== looked || !(await areThere(deps.store))) await writeUnlessDropped(deps, signal)
    looked = head
    await deps.clock.sleep(LOOK_EVERY_MS, signal)
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
  const start = lastEnd(ends)
  const head = await log.head()
  let waiting: StoredEvent[] = []
  let versions: Versions | undefined
  let workedFromMs = clock.monotonic()
  for await (const batch of start.position < head ? log.follow(start.position, signal) : []) {
    waiting.push(...batch)
    for (; waiting.length >= stretch; waiting = waiting.slice(stretch)) {
      // Load late: most of the time the log has not grown by a stretch.
      versions ??= await latestVersions(snapshots, await snapshots.sections(blocksOf(start.number)))
      const events = waiting.slice(0, stretch)
      ends.push(stretchEndOf(events))
      await writeBlocks({ ...deps, snapshots, versions }, ends, await foldStretch(snapshots, versions, events))
    }
    await clock.sleep(Math.ceil(clock.monotonic() - workedFromMs), signal)
    if (signal.aborted || (batch.at(-1)?.position ?? START) >= head) return
    workedFromMs = clock.monotonic()
  }
}

function stretchEndOf(events: readonly StoredEvent[]): StretchEnd {
  const times = events.map(({ metadata }) => Date.parse(metadata.at))
  return { position: events.at(-1)?.position ?? START, lastMs: times.at(-1) ?? 0, earliestMs: Math.min(...times) }
}

/** The documents that the events change. */
async function foldStretch(snapshots: Snapshots, versions: Versions, events: readonly StoredEvent[]): Promise<readonly Rows[]> {
  const known = events.flatMap((stored) => decodeKnown(stored) ?? [])
  const changed: Rows[] = []
  for (const [view, own] of PAST_VIEWS.entries()) {
    const changes = known.map((event) => pastOperations(own, event))
    const before = await bodiesBefore(
      snapshots,
      versions[view],
      changes.flatMap((operations) => operations.map(({ id }) => id)),
    )
    const touched = new Map<string, JsonObject | undefined>()
    const documents = {
      get: (id: string) => (touched.has(id) ? touched.get(id) : before.get(id)),
      set: (id: string, body: JsonObject | undefined) => void touched.set(id, body),
    }
    for (const operations of changes) foldInto(documents, operations)
    changed.push(...rowsOf(view, touched, before))
  }
  return changed
}

async function bodiesBefore(
  snapshots: Snapshots,
  versions: Versions[number] | undefined,
  ids: readonly string[],
): Promise<ReadonlyMap<string, JsonObject>> {
  const found = [...new Set(ids)].flatMap((id) => {
    const version = versions?.get(id)
    return version ? [{ id, version }] : []
  })
  const texts = await snapshots.texts(found.map(({ version }) => version))
  return new Map(found.map(({ id }, place) => [id, JSON.parse(texts[place] ?? '') as JsonObject]))
}

/** By owner. */
function rowsOf(
  view: number,
  touched: ReadonlyMap<string, JsonObject | undefined>,
  before: ReadonlyMap<string, JsonObject>,
): readonly Rows[] {
  const owned = [...touched].flatMap(([id, body]) => {
    const any = body ?? before.get(id)
    return any ? [{ id, text: body && JSON.stringify(body), owner: ownerOf(any) }] : []
  })
  return [...Map.groupBy(owned, ({ owner }) => owner)].map(([owner, all]): Rows => {
    const kept = all.flatMap(({ id, text }) => (text === undefined ? [] : [{ id, text }]))
    return {
      owner,
      view,
      ids: kept.map(({ id }) => id),
      removed: all.flatMap(({ id, text }) => (text === undefined ? [id] : [])),
      texts: async (from, to) => kept.slice(from, to).map(({ text }) => text),
    }
  })
}

const ownerOf = ({ userId }: JsonObject): Owner => (typeof userId === 'string' ? (userId as UserId) : NOBODY)

interface BlockWriter extends SnapshotWriterDependencies {
  readonly snapshots: Snapshots
  /** Updated with the block of the last stretch. Older versions stay where they are: blocks are never rewritten. */
  readonly versions: Versions
}

/**
 * Writes the block of the last stretch, the higher blocks that end with it, and last the document that makes them valid, together with those
 * that no earlier step has taken: most stretches need one step, which may share a transaction with others.
 */
async function writeBlocks(writer: BlockWriter, ends: readonly StretchEnd[], changed: readonly Rows[]): Promise<void> {
  const { length } = ends
  const at = ends.at(-1)?.position ?? START
  const from = ends.at(-2)?.position ?? START
  const lowest = { level: 0, index: length - 1 }
  const written = await writeBlock(writer, lowest, { rows: changed, from, at })
  let { rest } = written
  for (const [place, section] of written.sections.entries()) {
    const { ids, removed } = changed[place]!
    for (const [row, id] of ids.entries()) writer.versions[section.view]?.set(id, { section, row })
    for (const id of removed) writer.versions[section.view]?.delete(id)
  }
  for (let level = 1; level < LEVELS && length % FAN ** level === 0; level++) {
    // Higher blocks are made from what is stored.
    await commit(writer, { from, to: from, puts: rest })
    const block = { level, index: length / FAN ** level - 1 }
    rest = (await writeBlock(writer, block, { rows: await mergedRows(writer.snapshots, block), from, at })).rest
  }
  await commit(writer, { from, to: at, puts: [...rest, endsDocument(ends, at), headDocument(length, at)] })
}

interface BlockContents {
  readonly rows: readonly Rows[]
  /** Checkpoint of the snapshots, and the end of the block. */
  readonly from: Position
  readonly at: Position
}

interface WrittenBlock {
  readonly sections: readonly Section[]
  /** Its last documents, which the next step has to write. */
  readonly rest: readonly StoredDocument[]
}

/** Writes in steps that a store can take at once. After a crash between them the same documents are written again. */
async function writeBlock(writer: BlockWriter, block: BlockName, { rows, from, at }: BlockContents): Promise<WrittenBlock> {
  const documents = blockDocuments(block, rows, at)
  let rest: StoredDocument[] = []
  for (let next = await documents.next(); ; next = await documents.next()) {
    if (next.done) return { sections: next.value, rest }
    rest.push(next.value)
    if (rest.length < COMMIT_DOCUMENTS) continue
    await commit(writer, { from, to: from, puts: rest })
    rest = []
  }
}

interface Step {
  readonly from: Position
  readonly to: Position
  readonly puts: readonly StoredDocument[]
}

async function commit({ store, epoch }: BlockWriter, { from, to, puts }: Step): Promise<void> {
  const outcome = await store.commit({ collection: SNAPSHOTS.name, epoch, from, to, puts, removes: [] })
  if (outcome === 'fenced') throw new Error('Another node makes the snapshots of the log')
  await setImmediate()
}
