/**
 * Holds the documents of an earlier time. Those that no event after the snapshot has changed stay in the snapshots: their query fields are
 * read column by column when a query needs them, and their texts when they are on its page.
 */
import type { Json, JsonObject } from '../../events/envelope.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import { START } from '../../events/position.ts'
import { collectionOf, type AnyView } from '../../../projections/views/view.ts'
import type { CollectionSpec, ReadStore, StoredDocument } from '../../ports/read-store.ts'
import { foldInto, pastOperations, type DocumentsInMemory } from './past-views.ts'
import { hasColumns, latestVersions, type Section, type Snapshots, type Version } from './snapshots.ts'

export interface PastView {
  readonly view: AnyView
  readonly spec: CollectionSpec
  /** Documents in memory. */
  readonly bodies: Map<string, JsonObject>
  /** Those that the store does not have yet. */
  readonly touched: Set<string>
  /** Documents in the snapshots. */
  readonly unread: Map<string, Unread>
  /** Fields of unread documents that the store has; undefined: it has none of them at all. */
  columns: Set<string> | undefined
  /** Estimated size of these columns, and of the bodies, as JSON. */
  columnBytes: number
  bodyBytes: number
  /** Settles when no columns are being read: one query reads them after the other. */
  turn: Promise<void>
}

interface Unread {
  readonly version: Version
  /** Only its fields in `columns`. */
  readonly body: Record<string, Json>
}

export interface PastDocuments {
  readonly store: ReadStore
  readonly snapshots: Snapshots
  /** Ids of documents that are left out. */
  readonly removed: ReadonlySet<string>
  /** With snapshots: PAST_VIEWS. */
  readonly views: readonly PastView[]
}

export interface PastDocumentsOptions extends Pick<PastDocuments, 'store' | 'snapshots' | 'removed'> {
  readonly views: readonly AnyView[]
}

/** `store`: a separate, empty one. */
export async function openPastDocuments({ views, ...given }: PastDocumentsOptions): Promise<PastDocuments> {
  const opened = views.map((view): PastView => ({
    view,
    spec: { name: collectionOf(view), fields: view.fields, indexes: view.indexes },
    bodies: new Map(),
    touched: new Set(),
    unread: new Map(),
    columns: undefined,
    columnBytes: 0,
    bodyBytes: 0,
    turn: Promise.resolve(),
  }))
  await given.store.open(opened.map(({ spec }) => spec))
  return { ...given, views: opened }
}

const WHOLE_AT_ONCE = 500

/** Begins with the documents in these sections, latest first. @throws the signal's reason when it is aborted */
export async function loadDocuments(past: PastDocuments, sections: readonly Section[], signal: AbortSignal): Promise<void> {
  const versions = await latestVersions(past.snapshots, sections)
  for (const [index, view] of past.views.entries()) {
    for (const [id, version] of versions[index] ?? []) if (version && !past.removed.has(id)) view.unread.set(id, { version, body: {} })
    const whole = [...view.unread].flatMap(([id, { version }]) => (hasColumns(version.section) ? [] : [id]))
    for (let from = 0; from < whole.length; from += WHOLE_AT_ONCE) {
      signal.throwIfAborted()
      await readWhole(past, view, whole.slice(from, from + WHOLE_AT_ONCE))
    }
  }
  signal.throwIfAborted()
}

/** Moves documents from the snapshots into memory. */
async function readWhole(past: PastDocuments, view: PastView, ids: readonly string[]): Promise<void> {
  const found = await bodiesOf(past, view, ids)
  for (const [id, body] of found) {
    view.unread.delete(id)
    view.bodies.set(id, body)
    view.touched.add(id)
  }
}

/** The whole documents, if they are in the snapshots. */
async function bodiesOf({ snapshots }: PastDocuments, view: PastView, ids: readonly string[]): Promise<ReadonlyMap<string, JsonObject>> {
  const found = ids.flatMap((id) => {
    const version = view.unread.get(id)?.version
    return version ? [{ id, version }] : []
  })
  const texts = found.length === 0 ? [] : await snapshots.texts(found.map(({ version }) => version))
  return new Map(found.map(({ id }, place) => [id, JSON.parse(texts[place] ?? '') as JsonObject]))
}

/** Folds events into the documents, and writes them to the store. */
export async function foldEvents(past: PastDocuments, events: readonly RecordedEvent[]): Promise<void> {
  const done = past.views.map((view) => events.map((event) => pastOperations(view.view, event)))
  for (const [index, view] of past.views.entries()) {
    const changes = done[index] ?? []
    await readWhole(past, view, [...new Set(changes.flatMap((operations) => operations.map(({ id }) => id)))])
    const documents = documentsIn(past, view)
    for (const operations of changes) foldInto(documents, operations)
  }
  await writeTouched(past)
}

const documentsIn = ({ removed }: PastDocuments, { bodies, touched }: PastView): DocumentsInMemory => ({
  get: (id) => bodies.get(id),
  set(id, body) {
    if (removed.has(id)) return
    touched.add(id)
    if (body) bodies.set(id, body)
    else bodies.delete(id)
  },
})

/** Writes changed documents to the store: batch by batch, so that no other work waits for long. */
export async function writeTouched({ store, views }: PastDocuments): Promise<void> {
  for (const { spec, bodies, touched } of views) {
    const puts: StoredDocument[] = []
    const removes: { readonly id: string; readonly at: typeof START }[] = []
    for (const id of touched) {
      const body = bodies.get(id)
      if (body) puts.push({ id, at: START, body })
      else removes.push({ id, at: START })
    }
    touched.clear()
    await store.commit({ collection: spec.name, epoch: 0, from: START, to: START, puts, removes })
  }
}

/** Ends the fold: from now on only the store holds the documents. */
export function endFold({ views }: PastDocuments): void {
  for (const view of views) {
    view.bodyBytes = estimatedSize([...view.bodies.values()])
    view.bodies.clear()
  }
}

/** Gives the store these fields of the documents in the snapshots; afterwards it can answer queries about them. */
export function needColumns(past: PastDocuments, view: PastView, fields: readonly string[]): Promise<void> {
  // A failed read concerns the query that needed it; the next one reads again.
  view.turn = view.turn.catch(() => {}).then(() => readColumns(past, view, fields))
  return view.turn
}

async function readColumns({ store, snapshots }: PastDocuments, view: PastView, fields: readonly string[]): Promise<void> {
  const { spec, unread, columns } = view
  const missing = [...new Set(fields)].filter((field) => isColumn(spec, field) && !columns?.has(field))
  if (unread.size === 0 || (columns && missing.length === 0)) return
  const sections = Map.groupBy(unread.values(), ({ version }) => version.section)
  for (const field of missing) {
    for (const [section, documents] of sections) {
      const values = await snapshots.column(section, field)
      for (const { version, body } of documents) body[field] = values[version.row] ?? null
      view.columnBytes += estimatedSize(values)
    }
  }
  const puts = [...unread].map(([id, { body }]) => ({ id, at: START, body }))
  await store.commit({ collection: spec.name, epoch: 0, from: START, to: START, puts, removes: [] })
  view.columns = new Set([...(columns ?? []), ...missing])
}

const isColumn = ({ fields }: CollectionSpec, field: string): boolean => fields[field] !== undefined && fields[field] !== 'json'

/** The documents with these ids, in their order. */
export async function documentsWith(past: PastDocuments, view: PastView, ids: readonly string[]): Promise<readonly StoredDocument[]> {
  const [stored, unread] = await Promise.all([past.store.getMany(view.spec.name, ids), bodiesOf(past, view, ids)])
  const byId = new Map(stored.map((document) => [document.id, document]))
  for (const [id, body] of unread) byId.set(id, { id, at: START, body })
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The documents of a query's page with their whole bodies, or with the members `only`. */
export async function wholeDocuments(
  past: PastDocuments,
  view: PastView,
  documents: readonly StoredDocument[],
  only?: readonly string[],
): Promise<readonly StoredDocument[]> {
  if (only?.every((field) => view.columns?.has(field))) return documents
  const bodies = await bodiesOf(
    past,
    view,
    documents.map(({ id }) => id),
  )
  return documents.map((document) => {
    const body = bodies.get(document.id)
    return body ? { ...document, body: only ? membersOf(body, only) : body } : document
  })
}

export const membersOf = (body: JsonObject, only: readonly string[]): JsonObject =>
  Object.fromEntries(only.map((field) => [field, body[field] ?? null]))

/** For a document in the snapshots: its id, its version, an empty body. */
const UNREAD_BYTES = 300

/** Estimated size of all documents as JSON; it grows as queries read more columns. */
export const sizeOf = ({ views }: PastDocuments): number =>
  views.reduce((sum, { unread, bodyBytes, columnBytes }) => sum + bodyBytes + unread.size * UNREAD_BYTES + columnBytes, 0)

const SAMPLES = 64

/** Of all values as JSON, from that of some of them. */
function estimatedSize(values: readonly Json[]): number {
  const step = Math.ceil(values.length / SAMPLES)
  const samples = values.filter((_, place) => place % step === 0)
  return samples.reduce<number>((sum, value) => sum + JSON.stringify(value).length, 0) * step
}
