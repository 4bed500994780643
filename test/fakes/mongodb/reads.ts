/** Commands that read: find, aggregate, count, getMore. */
import { Long, type Document } from 'mongodb'
import { failure } from './failures.ts'
import { matches } from './match.ts'
import type { View } from './store.ts'
import { ordered, projected, typeOf } from './values.ts'

export interface Cursors {
  /** The first batch of a command's reply; getMore returns the rest. */
  first(namespace: string, documents: readonly Document[], batchSize: number | undefined): Document
  more(command: Document): Document
  kill(command: Document): Document
}

const BATCH = 101
const CURSORS_MAX = 1_000

export function createCursors(): Cursors {
  const left = new Map<string, { readonly namespace: string; readonly documents: readonly Document[] }>()
  let last = 0

  function cursor(
    namespace: string,
    documents: readonly Document[],
    size: number,
  ): { readonly batch: readonly Document[]; readonly id: Long } {
    const batch = documents.slice(0, size)
    if (documents.length <= size) return { batch, id: Long.ZERO }
    const id = Long.fromNumber(++last)
    left.set(id.toString(), { namespace, documents: documents.slice(size) })
    const [oldest] = left.keys()
    if (left.size > CURSORS_MAX && oldest) left.delete(oldest)
    return { batch, id }
  }

  return {
    first(namespace, documents, batchSize) {
      const { batch, id } = cursor(namespace, documents, batchSize ?? BATCH)
      return { cursor: { firstBatch: batch, id, ns: namespace }, ok: 1 }
    },
    more({ getMore, batchSize }) {
      const key = String(getMore)
      const found = left.get(key)
      if (!found) throw failure('CursorNotFound', `cursor id ${key} not found`)
      left.delete(key)
      const { batch, id } = cursor(found.namespace, found.documents, Number(batchSize ?? Infinity))
      return { cursor: { nextBatch: batch, id, ns: found.namespace }, ok: 1 }
    },
    kill({ cursors }) {
      for (const id of cursors as readonly unknown[]) left.delete(String(id))
      return { cursorsKilled: cursors, ok: 1 }
    },
  }
}

/** The documents that match the filter; uses a lookup if it names ids. */
export function found(view: View, namespace: string, filter: Document): readonly Document[] {
  return [...view.find(namespace, idsOf(filter))].filter((document) => matches(document, filter))
}

function idsOf({ _id: id }: Document): readonly unknown[] | undefined {
  if (id === undefined) return undefined
  if (typeOf(id) !== 'object') return [id]
  const list: unknown = (id as Document)['$in']
  return Array.isArray(list) && Object.keys(id as Document).length === 1 ? list : undefined
}

/** A hinted index must exist. */
function checkHint(view: View, namespace: string, hint: unknown): void {
  const stored = view.collection(namespace)
  if (hint === undefined || !stored) return
  if (typeof hint !== 'string' || !stored.indexes.has(hint))
    throw failure('BadValue', 'hint provided does not correspond to an existing index')
}

export function find(
  view: View,
  namespace: string,
  { filter = {}, sort, skip = 0, limit = 0, projection, hint }: Document,
): readonly Document[] {
  checkHint(view, namespace, hint)
  const all = found(view, namespace, filter as Document)
  const inOrder = sort ? ordered(all, sort as Document) : all
  const page = inOrder.slice(Number(skip), limit ? Number(skip) + Number(limit) : undefined)
  return projection && Object.keys(projection as Document).length > 0 ? page.map((one) => projected(one, projection as Document)) : page
}

export function count(view: View, namespace: string, { query = {}, limit = 0, hint }: Document): Document {
  checkHint(view, namespace, hint)
  const n = found(view, namespace, query as Document).length
  return { n: limit ? Math.min(n, Number(limit)) : n, ok: 1 }
}

type Stage = (documents: readonly Document[], value: never) => readonly Document[]

const STAGES: Readonly<Record<string, Stage>> = {
  $match: (documents, filter: Document) => documents.filter((document) => matches(document, filter)),
  $sort: (documents, sort: Document) => ordered(documents, sort),
  $skip: (documents, skip: number) => documents.slice(skip),
  $limit: (documents, limit: number) => documents.slice(0, limit),
  $project: (documents, projection: Document) => documents.map((document) => projected(document, projection)),
  // As the driver's countDocuments sends it.
  $group: (documents, group: Document) => (documents.length > 0 ? [{ _id: group['_id'], n: documents.length }] : []),
}

export function aggregate(view: View, namespace: string, { pipeline, hint }: Document): readonly Document[] {
  checkHint(view, namespace, hint)
  const [first = {}, ...others] = pipeline as readonly Document[]
  const filter: unknown = first['$match']
  const stages = filter === undefined ? [first, ...others] : others
  let documents = found(view, namespace, filter ?? {})
  for (const stage of stages) {
    const [[name, value] = ['', undefined]] = Object.entries(stage)
    const run = STAGES[name]
    if (!run) throw failure('BadValue', `Unrecognized pipeline stage name: '${name}'`)
    documents = run(documents, value as never)
  }
  return documents
}
