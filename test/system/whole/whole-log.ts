/** Checks a complete log after a test: its events, its hash chains, and the documents derived from it. */
import { isDeepStrictEqual } from 'node:util'
import { views } from '../../../projections/views/all.ts'
import { collectionOf, operationsOf, type AnyView } from '../../../projections/views/view.ts'
import { verifyLog } from '../../../src/app/operator/verification.ts'
import { decode } from '../../../src/events/codec.ts'
import type { JsonObject, StoredEvent } from '../../../src/events/envelope.ts'
import { START } from '../../../src/events/position.ts'
import type { RecordedEvent } from '../../../src/events/recorded.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import type { ReadStore, StoredDocument } from '../../../src/ports/read-store.ts'
import { appendTo } from '../../fixtures/ledger.ts'

const READ_MS = 60_000
const PAGE = 1000

/** All events up to the head. @throws if a hash chain is broken */
export async function readWholeLog(log: EventLog): Promise<readonly RecordedEvent[]> {
  const signal = AbortSignal.timeout(READ_MS)
  const head = await log.head()
  const events: RecordedEvent[] = []
  for await (const batch of log.follow(START, signal)) {
    for (const stored of batch) events.push(...[decode(stored)].filter((event) => event !== undefined))
    if ((batch.at(-1)?.position ?? START) >= head) break
  }
  const { problems } = await verifyLog(log, { step: () => {}, signal: signal })
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  return events
}

export interface Compared {
  readonly documents: number
  /** Documents that differ from those derived from the log, at most a few. */
  readonly differences: readonly string[]
}

const DIFFERENCES_MAX = 20

/** Documents by collection and id. */
export type Rebuilt = ReadonlyMap<string, ReadonlyMap<string, StoredDocument>>

/** Compares every document of a read store with the one derived from the events. */
export async function compareWithRebuild(store: ReadStore, rebuilt: Rebuilt): Promise<Compared> {
  const differences: string[] = []
  let documents = 0
  for (const [collection, wanted] of rebuilt) {
    const found = new Map<string, StoredDocument>()
    for await (const document of all(store, collection)) found.set(document.id, document)
    for (const id of new Set([...wanted.keys(), ...found.keys()])) {
      if (isPassing(id)) continue
      documents++
      const [ours, theirs] = [wanted.get(id), found.get(id)]
      if (JSON.stringify(ours) !== JSON.stringify(theirs) && !isDeepStrictEqual(plain(ours), plain(theirs))) {
        differences.push(`${collection} ${id}: ${JSON.stringify(theirs)} is not ${JSON.stringify(ours)}`)
      }
    }
  }
  return { documents, differences: differences.slice(0, DIFFERENCES_MAX) }
}

/** The documents that the views derive from the events. */
export async function rebuild(events: readonly RecordedEvent[]): Promise<Rebuilt> {
  const collections = new Map<string, ReadonlyMap<string, StoredDocument>>()
  for (const view of views) {
    const documents = new Map<string, StoredDocument>()
    collections.set(collectionOf(view), view.append ? await appended(view, events) : documents)
    for (const event of events) {
      for (const { id, fold } of operationsOf(view, event)) {
        const body: JsonObject | undefined | null = fold(documents.get(id)?.body)
        if (body === null) documents.delete(id)
        else if (body !== undefined) documents.set(id, { id, at: event.position, body })
      }
    }
  }
  return collections
}

/** A ledger's documents, except those that only the next batch needs. */
async function appended(view: AnyView, events: readonly RecordedEvent[]): Promise<ReadonlyMap<string, StoredDocument>> {
  const bodies = new Map<string, JsonObject>()
  const positions = await appendTo(bodies, view, { events: events as unknown as readonly StoredEvent[] })
  const lasting = [...bodies].filter(([id]) => !isPassing(id))
  return new Map(lasting.map(([id, body]) => [id, { id, at: positions.get(id) ?? START, body }]))
}

const isPassing = (id: string): boolean => id.startsWith('edge:')

async function* all(store: ReadStore, collection: string): AsyncGenerator<StoredDocument> {
  let after: { readonly value: null; readonly id: string } | undefined
  do {
    const page = await store.find(collection, { limit: PAGE, ...(after ? { after } : {}) })
    yield* page.documents
    after = page.next ? { value: null, id: page.next.id } : undefined
  } while (after)
}

const plain = (document: StoredDocument | undefined): unknown => (document ? JSON.parse(JSON.stringify(document)) : undefined)
