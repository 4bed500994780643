/**
 * Keeps documents in memory. A document is never changed, only replaced, so that a copy of the maps is a snapshot. A transaction's writes
 * overlay the documents until it commits.
 */
import { BSON, type Document } from 'mongodb'
import { failure, TRANSIENT } from './failures.ts'

export interface Stored {
  readonly documents: Map<string, Document>
  readonly indexes: Map<string, Document>
  /** Change number of each document's last write, including removed ones. */
  readonly touched: Map<string, number>
}

export interface Transaction {
  /** Change number at its start. */
  readonly from: number
  /** By namespace, then by id; null: removed. */
  readonly writes: Map<string, Map<string, Document | null>>
}

/** A command's view of the store: plain, or with its transaction's writes. */
export interface View {
  find(namespace: string, ids?: readonly unknown[]): Iterable<Document>
  put(namespace: string, id: unknown, document: Document | null): void
  collection(namespace: string): Stored | undefined
  make(namespace: string): Stored
}

export interface Store {
  readonly view: (transaction?: Transaction) => View
  readonly begin: () => Transaction
  commit(transaction: Transaction): void
  /** Aborts it, in whatever state. */
  end(transaction: Transaction): void
  endAll(): void
  isOpen(transaction: Transaction): boolean
  readonly collections: () => ReadonlyMap<string, Stored>
  drop(namespace: string): boolean
  /** Takes a snapshot; the returned function restores it. */
  readonly mark: () => () => void
}

export const keyOf = (id: unknown): string => (typeof id === 'string' ? `s${id}` : `o${BSON.EJSON.stringify({ id })}`)

const made = (): Stored => ({
  documents: new Map(),
  indexes: new Map([['_id_', { v: 2, key: { _id: 1 }, name: '_id_' }]]),
  touched: new Map(),
})

export function createStore(): Store {
  let collections = new Map<string, Stored>()
  const open = new Set<Transaction>()
  let changes = 0

  function make(namespace: string): Stored {
    const found = collections.get(namespace) ?? made()
    collections.set(namespace, found)
    return found
  }

  function write(namespace: string, key: string, document: Document | null): void {
    const { documents, touched } = make(namespace)
    touched.set(key, ++changes)
    if (document) documents.set(key, document)
    else documents.delete(key)
  }

  const pendingIn = (namespace: string, key: string): Transaction | undefined =>
    [...open].find(({ writes }) => writes.get(namespace)?.has(key))

  const base: View = {
    *find(namespace, ids) {
      const documents = collections.get(namespace)?.documents
      if (!ids) yield* documents?.values() ?? []
      else for (const id of ids) if (documents?.has(keyOf(id))) yield documents.get(keyOf(id)) as Document
    },
    put(namespace, id, document) {
      const key = keyOf(id)
      const other = pendingIn(namespace, key)
      if (other) open.delete(other)
      write(namespace, key, document)
    },
    collection: (namespace) => collections.get(namespace),
    make,
  }

  const within = (transaction: Transaction): View => ({
    ...base,
    *find(namespace, ids) {
      const writes = transaction.writes.get(namespace) ?? new Map<string, Document | null>()
      const asked = ids && new Set(ids.map(keyOf))
      for (const document of base.find(namespace, ids)) if (!writes.has(keyOf(document['_id']))) yield document
      for (const [key, document] of writes) if (document && (!asked || asked.has(key))) yield document
    },
    put(namespace, id, document) {
      const key = keyOf(id)
      const other = pendingIn(namespace, key)
      const isChanged = (collections.get(namespace)?.touched.get(key) ?? 0) > transaction.from
      if (isChanged || (other && other !== transaction)) throw failure('WriteConflict', 'Write conflict', [TRANSIENT])
      const writes = transaction.writes.get(namespace) ?? new Map<string, Document | null>()
      transaction.writes.set(namespace, writes.set(key, document))
    },
  })

  return {
    view: (transaction) => (transaction ? within(transaction) : base),
    begin() {
      const transaction: Transaction = { from: changes, writes: new Map() }
      open.add(transaction)
      return transaction
    },
    commit(transaction) {
      open.delete(transaction)
      for (const [namespace, writes] of transaction.writes) for (const [key, document] of writes) write(namespace, key, document)
    },
    end: (transaction) => void open.delete(transaction),
    endAll: () => open.clear(),
    isOpen: (transaction) => open.has(transaction),
    collections: () => collections,
    drop: (namespace) => collections.delete(namespace),
    mark() {
      const copy = (): Map<string, Stored> => new Map([...collections].map(([name, stored]) => [name, copied(stored)]))
      const marked = copy()
      return () => {
        collections = marked
        changes++
      }
    },
  }
}

const copied = ({ documents, indexes, touched }: Stored): Stored => ({
  documents: new Map(documents),
  indexes: new Map(indexes),
  touched: new Map(touched),
})
