/** Makes the indexes of a collection: a server that makes several at once reads the documents once. */
import type { Collection } from 'mongodb'
import type { CollectionSpec } from '../../ports/read-store.ts'
import type { MongoConnection } from './connection.ts'
import { isNoCollection } from './errors.ts'
import { indexesOf } from './read-store-schema.ts'

/** Most keys that one command makes, so that it ends before the connection's timeout: about 5 s on slow machines. */
const KEYS_MAX = 500_000

export interface IndexedCollection {
  readonly connection: Pick<MongoConnection, 'hasTransactions'>
  readonly documents: Collection
}

/** Makes the missing indexes. */
export async function makeIndexes({ connection, documents }: IndexedCollection, spec: CollectionSpec): Promise<void> {
  const there = await namesIn(documents)
  const missing = indexesOf(spec).filter(({ name }) => !there.has(name))
  if (missing.length === 0) return
  // FerretDB, which has no transactions, drops the connection if some of several indexes exist, as when several nodes start at once.
  const atOnce = (await connection.hasTransactions()) ? await fewEnough(documents) : 1
  for (let n = 0; n < missing.length; n += atOnce) await documents.createIndexes(missing.slice(n, n + atOnce))
}

async function fewEnough(documents: Collection): Promise<number> {
  const count = await documents.estimatedDocumentCount()
  return Math.max(1, Math.floor(KEYS_MAX / Math.max(1, count)))
}

/** Empty, too, if the collection does not exist yet. */
async function namesIn(documents: Collection): Promise<ReadonlySet<string | undefined>> {
  try {
    return new Set((await documents.listIndexes().toArray()).map(({ name }) => name as string))
  } catch (error) {
    if (isNoCollection(error)) return new Set()
    throw error
  }
}
