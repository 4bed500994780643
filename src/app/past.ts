/**
 * Past: the documents as they were at some time, folded from the log in memory: one fold at a time on a node. Only what lists of
 * movies are made of, and of users' doings only the caller's.
 */
import { decode } from '../events/codec.ts'
import type { JsonObject } from '../events/envelope.ts'
import type { UserId } from '../events/id.ts'
import { fromSeq, START, toSeq, type Position } from '../events/position.ts'
import type { RecordedEvent } from '../events/recorded.ts'
import { movies } from '../../projections/movies.ts'
import { userMovies } from '../../projections/user-movies.ts'
import { collectionOf, operationsOf, type AnyView } from '../../projections/view.ts'
import { isRefusal, refuse, type Refusal } from '../domain/refusal.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { ReadStore, StoredDocument } from '../ports/read-store.ts'
import { createDocuments, type Documents } from './documents.ts'

export interface PastDocuments {
  readonly documents: Documents
  /** Position of the last event of that time, as on the wire. */
  readonly seq: string
}

export interface Past {
  /** `asOf`: RFC 3339 or `seq:<n>`. Refusals: `invalid` (`asOf`) for another form or the future, `unavailable` while another runs. */
  at(userId: UserId, asOf: string): Promise<PastDocuments | Refusal>
}

export interface PastDependencies {
  readonly clock: Clock
  readonly log: EventLog
  /** An empty store of its own, in memory. */
  readonly openStore: () => ReadStore
}

const VIEWS = [movies, userMovies] as unknown as readonly AnyView[]
const FOLD_MS = 60_000
const BUSY = refuse('unavailable', 'Another request looks into the past', { retryAfterSeconds: 5 })
const TOO_LONG = refuse('unavailable', 'The log is too long to be folded just now', { retryAfterSeconds: 60 })
const wrong = (message: string) => refuse('invalid', message, { path: 'asOf' })

/** Where to stop: after a position, or before the first event later than a time. */
type End = { readonly position: Position } | { readonly atMs: number }

export function createPast({ clock, log, openStore }: PastDependencies): Past {
  let busy = false

  async function endOf(asOf: string): Promise<End | Refusal> {
    const position = asOf.startsWith('seq:') ? fromSeq(asOf.slice('seq:'.length)) : undefined
    if (position) return position > (await log.head()) ? wrong('There is no such event yet') : { position }
    const atMs = /^\d{4}-\d{2}-\d{2}T/.test(asOf) ? Date.parse(asOf) : Number.NaN
    if (Number.isNaN(atMs)) return wrong('is neither a time nor seq:<n>')
    return atMs > clock.now() ? wrong('This time lies in the future') : { atMs }
  }

  async function fold(userId: UserId, end: End): Promise<PastDocuments | Refusal> {
    const head = await log.head()
    const scratch = await openScratch(openStore())
    const stopping = new AbortController()
    const stop = clock.after(FOLD_MS, () => stopping.abort())
    let last: Position = START
    let beyond = head === START
    try {
      for await (const batch of beyond ? [] : log.follow(START, stopping.signal)) {
        for (const stored of batch) {
          beyond ||= stored.position > head || isBeyond(end, stored.position, stored.metadata.at)
          if (beyond) break
          last = stored.position
          const event = decode(stored)
          if (event && concerns(event, userId)) scratch.apply(event)
        }
        await scratch.write()
        if (beyond || last >= head) break
      }
    } finally {
      stop()
    }
    return stopping.signal.aborted ? TOO_LONG : { documents: createDocuments(scratch.store), seq: toSeq(last) }
  }

  return {
    async at(userId, asOf) {
      const end = await endOf(asOf)
      if (isRefusal(end)) return end
      if (busy) return BUSY
      busy = true
      try {
        return await fold(userId, end)
      } finally {
        busy = false
      }
    },
  }
}

const isBeyond = (end: End, position: Position, at: string) => ('position' in end ? position > end.position : Date.parse(at) > end.atMs)

/** Other users' doings are left out. */
const concerns = ({ data }: RecordedEvent, userId: UserId) => !('userId' in data) || data.userId === userId

/** Documents as they are folded, in a store that is written batch by batch, so that nothing else waits for long. */
async function openScratch(store: ReadStore) {
  const kept = VIEWS.map((view) => ({
    view,
    spec: { name: collectionOf(view), fields: view.fields, indexes: view.indexes },
    documents: new Map<string, JsonObject>(),
    touched: new Set<string>(),
  }))
  await store.open(kept.map(({ spec }) => spec))

  return {
    store,
    apply(event: RecordedEvent): void {
      for (const { view, documents, touched } of kept) {
        for (const { id, fold } of operationsOf(view, event)) {
          const result = fold(documents.get(id))
          if (result === undefined) continue
          touched.add(id)
          if (result === null) documents.delete(id)
          else documents.set(id, result)
        }
      }
    },
    async write(): Promise<void> {
      for (const { spec, documents, touched } of kept) {
        const ids = [...touched]
        const puts = ids.map((id) => ({ id, at: START, body: documents.get(id) ?? null })).filter(isThere)
        const removes = ids.filter((id) => !documents.has(id)).map((id) => ({ id, at: START }))
        touched.clear()
        await store.commit({ collection: spec.name, epoch: 0, from: START, to: START, puts, removes })
      }
    },
  }
}

const isThere = (put: { readonly id: string; readonly at: Position; readonly body: JsonObject | null }): put is StoredDocument =>
  put.body !== null
