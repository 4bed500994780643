/** Commands on collections and their indexes. */
import type { Document } from 'mongodb'
import { failure } from './failures.ts'
import { matches } from './match.ts'
import type { Cursors } from './reads.ts'
import type { Store, Stored } from './store.ts'

export interface SchemaCommands {
  create(namespace: string): Document
  createIndexes(namespace: string, command: Document): Document
  listIndexes(namespace: string): Document
  listCollections(database: string, command: Document): Document
  drop(namespace: string): Document
  dropDatabase(database: string): Document
}

const INDEXES_MAX = 64

export function schemaCommands(store: Store, cursors: Cursors): SchemaCommands {
  const namesIn = (database: string): readonly string[] =>
    [...store.collections().keys()].filter((name) => name.startsWith(`${database}.`)).map((name) => name.slice(database.length + 1))

  return {
    create(namespace) {
      if (store.collections().has(namespace)) throw failure('NamespaceExists', `Collection ${namespace} already exists.`)
      store.view().make(namespace)
      return { ok: 1 }
    },
    createIndexes(namespace, { indexes }) {
      const stored = store.view().make(namespace)
      const before = stored.indexes.size
      for (const index of indexes as readonly Document[]) addIndex(stored, index)
      return { numIndexesBefore: before, numIndexesAfter: stored.indexes.size, ok: 1 }
    },
    listIndexes(namespace) {
      const stored = store.collections().get(namespace)
      if (!stored) throw failure('NamespaceNotFound', `ns does not exist: ${namespace}`)
      return cursors.first(namespace, [...stored.indexes.values()], undefined)
    },
    listCollections(database, { filter = {} }) {
      const all = namesIn(database).map((name) => ({ name, type: 'collection' }))
      return cursors.first(
        `${database}.$cmd.listCollections`,
        all.filter((one) => matches(one, filter as Document)),
        undefined,
      )
    },
    drop(namespace) {
      if (!store.drop(namespace)) throw failure('NamespaceNotFound', 'ns not found')
      return { ok: 1 }
    },
    dropDatabase(database) {
      for (const name of namesIn(database)) store.drop(`${database}.${name}`)
      return { dropped: database, ok: 1 }
    },
  }
}

function addIndex({ indexes }: Stored, index: Document): void {
  const { name, key, unique, expireAfterSeconds } = index
  if (unique || expireAfterSeconds !== undefined) throw failure('BadValue', 'Indexes here neither forbid nor expire anything')
  const other = indexes.get(String(name))
  if (other && JSON.stringify(other['key']) !== JSON.stringify(key)) throw failure('BadValue', `Index ${String(name)} is another one`)
  if (!other && indexes.size >= INDEXES_MAX) throw failure('BadValue', 'add index fails, too many indexes')
  indexes.set(String(name), { v: 2, ...index })
}
