/**
 * Folds the log in memory into the documents of an earlier time. Covers only the documents behind lists of movies and of viewings. Users'
 * own state is folded for one user, unless everybody's is requested.
 */
import { decodeKnown } from '../../events/codec.ts'
import type { JsonObject } from '../../events/envelope.ts'
import type { UserId } from '../../vocabulary/id.ts'
import { fromSeq, START, type Position } from '../../events/position.ts'
import { inTheFuture, type Refusal, refuse } from '../../domain/refusal.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import { collectionOf, type AnyView } from '../../../projections/views/view.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { ReadStore, StoredDocument } from '../../ports/read-store.ts'
import { foldInto, PAST_VIEWS } from './past-views.ts'
import { blocksOf, lastEnd, namedBy, NOBODY, type SnapshotLine, type Snapshots } from './snapshots.ts'

/** The end of a fold: after a position, or before the first event later than a time. */
export type End = { readonly position: Position } | { readonly atMs: number }

export interface Folded {
  readonly store: ReadStore
  /** Position of the last event in the fold, and the latest time of all its events. */
  readonly last: Position
  readonly latestMs: number
  /** The first event after the fold; undefined if the log ended before. */
  readonly next: { readonly position: Position; readonly atMs: number } | undefined
  /** Size of all documents as JSON. */
  readonly bytes: number
}

/** Whose own state is folded. */
export type Whose = UserId | 'everybody'

export interface FoldOptions {
  readonly log: EventLog
  /** Starting points of the fold. */
  readonly snapshots: Snapshots
  /** Default: the views of snapshots. */
  readonly views?: readonly AnyView[]
  /** A separate, empty store in memory. */
  readonly store: ReadStore
  readonly whose: Whose
  /** Viewings that their users have removed since: they stay removed at every earlier time. */
  readonly removed: ReadonlySet<string>
  readonly end: End
}

/** Folds the current log. @throws the signal's reason when it is aborted */
export async function foldAsOf(
  { log, snapshots, store, views = PAST_VIEWS, whose, removed, end }: FoldOptions,
  signal: AbortSignal,
): Promise<Folded> {
  const head = await log.head()
  const scratch = await openScratch(store, views, removed)
  const start = lastEnd(await snapshots.ends(), ({ position, latestMs }) => position > head || isBeyond(end, position, latestMs))
  const blocks = blocksOf(start.number)
  for (const owner of whose === 'everybody' ? await snapshots.owners(blocks) : ([NOBODY, whose] as const)) {
    for await (const lines of snapshots.lines(blocks, owner)) {
      signal.throwIfAborted()
      scratch.load(lines)
      await scratch.write()
    }
  }
  let last: Position = start.position
  let { latestMs } = start
  for await (const batch of last < head ? log.follow(last, signal) : []) {
    for (const stored of batch) {
      const atMs = Date.parse(stored.metadata.at)
      if (isBeyond(end, stored.position, atMs)) {
        const next = { position: stored.position, atMs }
        await scratch.write()
        return { store, last, latestMs, next, bytes: scratch.bytes() }
      }
      if (stored.position > head) break
      last = stored.position
      latestMs = Math.max(latestMs, atMs)
      const event = decodeKnown(stored)
      if (event && concerns(event, whose)) scratch.apply(event)
    }
    await scratch.write()
    if ((batch.at(-1)?.position ?? START) >= head) break
  }
  signal.throwIfAborted()
  return { store, last, latestMs, next: undefined, bytes: scratch.bytes() }
}

interface Bounds {
  readonly head: Position
  readonly nowMs: number
  /** Member of the request that contains the text. */
  readonly path: string
}

/** Parses a time (RFC 3339) or `seq:<n>`. Refusal: `invalid` for another format, or the future. */
export function endOf(text: string, { head, nowMs, path }: Bounds): End | Refusal {
  const wrong = (message: string) => refuse('invalid', message, { path })
  const position = text.startsWith('seq:') ? fromSeq(text.slice('seq:'.length)) : undefined
  if (position) return position > head ? wrong('There is no such event yet') : { position }
  const atMs = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(atMs)) return wrong('is neither a time nor seq:<n>')
  return atMs > nowMs ? inTheFuture(path) : { atMs }
}

/** Whether a fold to this end would give the same result now. */
export function isFoldOf({ last, latestMs, next }: Folded, end: End, head: Position): boolean {
  if ('position' in end && end.position === last) return true
  const stopsThere = next ? isBeyond(end, next.position, next.atMs) : head === last
  return stopsThere && !isBeyond(end, last, latestMs)
}

const isBeyond = (end: End, position: Position, atMs: number) => ('position' in end ? position > end.position : atMs > end.atMs)

/** Leaves out other users' own state. */
const concerns = ({ data }: RecordedEvent, whose: Whose) => whose === 'everybody' || !('userId' in data) || data.userId === whose

/** Holds the documents of a running fold, and writes them to a store batch by batch, so that no other work waits for long. */
async function openScratch(store: ReadStore, views: readonly AnyView[], removed: ReadonlySet<string>) {
  const kept = views.map((view) => {
    const bodies = new Map<string, JsonObject>()
    /** With their sizes, if known. */
    const touched = new Map<string, number | undefined>()
    const documents = {
      get: (id: string) => bodies.get(id),
      set(id: string, body: JsonObject | undefined, size?: number) {
        if (removed.has(id)) return
        touched.set(id, size)
        if (body) bodies.set(id, body)
        else bodies.delete(id)
      },
    }
    const spec = { name: collectionOf(view), fields: view.fields, indexes: view.indexes }
    return { view, spec, bodies, documents, sizes: new Map<string, number>(), touched }
  })
  let bytes = 0
  await store.open(kept.map(({ spec }) => spec))

  return {
    bytes: () => bytes,
    load(lines: readonly SnapshotLine[]): void {
      for (const { key, text } of lines) {
        const { view, id } = namedBy(key)
        if (text) kept[view]?.documents.set(id, JSON.parse(text) as JsonObject, text.length)
      }
    },
    apply(event: RecordedEvent): void {
      for (const { view, documents } of kept) foldInto(documents, view, event)
    },
    async write(): Promise<void> {
      for (const { spec, bodies, sizes, touched } of kept) {
        const ids = [...touched.keys()]
        const puts = ids.map((id) => ({ id, at: START, body: bodies.get(id) ?? null })).filter(isThere)
        const removes = ids.filter((id) => !bodies.has(id)).map((id) => ({ id, at: START }))
        for (const [id, known] of touched) {
          const size = known ?? JSON.stringify(bodies.get(id) ?? null).length
          bytes += size - (sizes.get(id) ?? 0)
          sizes.set(id, size)
        }
        touched.clear()
        await store.commit({ collection: spec.name, epoch: 0, from: START, to: START, puts, removes })
      }
    },
  }
}

const isThere = (put: { readonly id: string; readonly at: Position; readonly body: JsonObject | null }): put is StoredDocument =>
  put.body !== null
