/** Commands that write: insert, update, delete, findAndModify. */
import { ObjectId, type Document } from 'mongodb'
import { failure, isFailure, writeErrorOf } from './failures.ts'
import { found } from './reads.ts'
import type { View } from './store.ts'
import { typeOf } from './values.ts'

type Each = (item: Document, index: number) => void

/** Runs the writes one after another; an error ends ordered writes, and always a transaction. */
function each(
  { ordered = true, autocommit }: Document,
  items: readonly Document[],
  run: Each,
): { readonly writeErrors?: readonly Document[] } {
  const errors: Document[] = []
  for (const [index, item] of items.entries()) {
    try {
      run(item, index)
    } catch (error) {
      if (!isFailure(error) || autocommit === false) throw error
      errors.push(writeErrorOf(error, index))
      if (ordered) break
    }
  }
  return errors.length > 0 ? { writeErrors: errors } : {}
}

export function insert(view: View, namespace: string, command: Document): Document {
  let n = 0
  view.make(namespace)
  const errors = each(command, command['documents'] as readonly Document[], (document) => {
    insertOne(view, namespace, document)
    n++
  })
  return { n, ...errors, ok: 1 }
}

function insertOne(view: View, namespace: string, document: Document): void {
  const whole = { _id: new ObjectId(), ...document }
  const [other] = view.find(namespace, [whole._id])
  if (other) throw failure('DuplicateKey', `E11000 duplicate key error collection: ${namespace} index: _id_ dup key`)
  view.put(namespace, whole._id, whole)
}

export function update(view: View, namespace: string, command: Document): Document {
  let [n, nModified] = [0, 0]
  const upserted: Document[] = []
  view.make(namespace)
  const errors = each(command, command['updates'] as readonly Document[], ({ q, u, upsert, multi }, index) => {
    if (multi) throw failure('FailedToParse', 'No updates of several here')
    const [before] = found(view, namespace, q as Document)
    const after = changed(before, q as Document, u as Document)
    if (before) {
      view.put(namespace, before['_id'], after)
      nModified++
    } else if (upsert) {
      insertOne(view, namespace, after)
      upserted.push({ index, _id: after['_id'] as unknown })
    } else return
    n++
  })
  return { n, nModified, ...(upserted.length > 0 ? { upserted } : {}), ...errors, ok: 1 }
}

/** Applies an update to a document, or to none. */
function changed(before: Document | undefined, filter: Document, change: Document): Document {
  const equals = Object.fromEntries(
    Object.entries(filter).filter(([path, value]) => !path.includes('.') && !path.startsWith('$') && isPlain(value)),
  )
  const base = before ?? { _id: new ObjectId(), ...equals }
  const operators = Object.keys(change).filter((name) => name.startsWith('$'))
  if (operators.length === 0) return { _id: base['_id'], ...change }
  const unknown = operators.find((name) => name !== '$set' && name !== '$setOnInsert')
  if (unknown) throw failure('FailedToParse', `Unknown modifier: ${unknown}`)
  const set = { ...(before ? {} : (change['$setOnInsert'] as Document | undefined)), ...(change['$set'] as Document | undefined) }
  const path = Object.keys(set).find((name) => name.includes('.'))
  if (path) throw failure('FailedToParse', `No paths here: ${path}`)
  return { ...base, ...set }
}

const isPlain = (value: unknown): boolean =>
  typeOf(value) !== 'object' || !Object.keys(value as Document).some((name) => name.startsWith('$'))

export function remove(view: View, namespace: string, command: Document): Document {
  let n = 0
  const errors = each(command, command['deletes'] as readonly Document[], ({ q, limit }) => {
    const all = found(view, namespace, q as Document)
    for (const { _id: id } of limit ? all.slice(0, 1) : all) {
      view.put(namespace, id, null)
      n++
    }
  })
  return { n, ...errors, ok: 1 }
}

/** Supports only removal. */
export function findAndModify(view: View, namespace: string, { query = {}, remove: isRemoval }: Document): Document {
  if (!isRemoval) throw failure('FailedToParse', 'findAndModify only removes here')
  const [document] = found(view, namespace, query as Document)
  if (document) view.put(namespace, document['_id'], null)
  return { value: document ?? null, lastErrorObject: { n: document ? 1 : 0 }, ok: 1 }
}
