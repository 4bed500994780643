/**
 * The documents as they were at some time, folded from the log in memory. Only what lists of movies and of viewings are made of, and of
 * users' doings only one user's, unless those of everybody are asked for.
 */
import { decodeKnown } from '../../events/codec.ts'
import type { JsonObject } from '../../events/envelope.ts'
import type { UserId } from '../../vocabulary/id.ts'
import { START, type Position } from '../../events/position.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import { movies } from '../../../projections/views/movies.ts'
import { userMovies } from '../../../projections/views/user-movies.ts'
import { viewings } from '../../../projections/views/viewings.ts'
import { collectionOf, operationsOf, type AnyView } from '../../../projections/views/view.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { ReadStore, StoredDocument } from '../../ports/read-store.ts'

/** Where to stop: after a position, or before the first event later than a time. */
export type End = { readonly position: Position } | { readonly atMs: number }

export interface Folded {
  readonly store: ReadStore
  /** Position of the last event that counted, and the latest time of all that did. */
  readonly last: Position
  readonly latestMs: number
  /** The first event that did not count; undefined: the log ended before. */
  readonly next: { readonly position: Position; readonly atMs: number } | undefined
  /** Size of all documents as JSON. */
  readonly bytes: number
}

/** Whose doings. */
export type Whose = UserId | 'everybody'

export interface FoldOptions {
  readonly log: EventLog
  /** An empty store of its own, in memory. */
  readonly store: ReadStore
  readonly whose: Whose
  /** Viewings that their users have removed since: they stay removed, whatever time is asked for. */
  readonly removed: ReadonlySet<string>
  readonly end: End
}

const VIEWS = [movies, userMovies, viewings] as unknown as readonly AnyView[]

/** Folds the log as it is now. @throws the signal's reason when it is aborted */
export async function foldAsOf({ log, store, whose, removed, end }: FoldOptions, signal: AbortSignal): Promise<Folded> {
  const head = await log.head()
  const scratch = await openScratch(store, removed)
  let last: Position = START
  let latestMs = -Infinity
  for await (const batch of last < head ? log.follow(START, signal) : []) {
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

/** Whether what was folded is what a fold to this end would give now. */
export function isFoldOf({ last, latestMs, next }: Folded, end: End, head: Position): boolean {
  if ('position' in end && end.position === last) return true
  const stopsThere = next ? isBeyond(end, next.position, next.atMs) : head === last
  return stopsThere && !isBeyond(end, last, latestMs)
}

const isBeyond = (end: End, position: Position, atMs: number) => ('position' in end ? position > end.position : atMs > end.atMs)

/** Other users' doings are left out. */
const concerns = ({ data }: RecordedEvent, whose: Whose) => whose === 'everybody' || !('userId' in data) || data.userId === whose

/** Documents as they are folded, in a store that is written batch by batch, so that nothing else waits for long. */
async function openScratch(store: ReadStore, removed: ReadonlySet<string>) {
  const kept = VIEWS.map((view) => ({
    view,
    spec: { name: collectionOf(view), fields: view.fields, indexes: view.indexes },
    documents: new Map<string, JsonObject>(),
    sizes: new Map<string, number>(),
    touched: new Set<string>(),
  }))
  let bytes = 0
  await store.open(kept.map(({ spec }) => spec))

  return {
    bytes: () => bytes,
    apply(event: RecordedEvent): void {
      for (const { view, documents, touched } of kept) {
        try {
          for (const { id, fold } of operationsOf(view, event)) {
            const result = removed.has(id) ? undefined : fold(documents.get(id))
            if (result === undefined) continue
            touched.add(id)
            if (result === null) documents.delete(id)
            else documents.set(id, result)
          }
        } catch {
          // The projector reports the event, and leaves it out of its documents as well.
        }
      }
    },
    async write(): Promise<void> {
      for (const { spec, documents, sizes, touched } of kept) {
        const ids = [...touched]
        const puts = ids.map((id) => ({ id, at: START, body: documents.get(id) ?? null })).filter(isThere)
        const removes = ids.filter((id) => !documents.has(id)).map((id) => ({ id, at: START }))
        for (const id of ids) {
          bytes -= sizes.get(id) ?? 0
          sizes.set(id, JSON.stringify(documents.get(id) ?? null).length)
          bytes += sizes.get(id) ?? 0
        }
        touched.clear()
        await store.commit({ collection: spec.name, epoch: 0, from: START, to: START, puts, removes })
      }
    },
  }
}

const isThere = (put: { readonly id: string; readonly at: Position; readonly body: JsonObject | null }): put is StoredDocument =>
  put.body !== null
