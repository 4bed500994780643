/**
 * Counts documents, and keeps the results until a document of the collection changes: a list that shows its total would otherwise walk all
 * its matches for each page.
 */
import { createLruCache, type LruCache } from '../../concurrency/lru-cache.ts'
import type { Fragment } from './read-store-filters.ts'
import { tableOf } from './read-store-schema.ts'
import type { Statements } from './statements.ts'

export interface Counts {
  /** The number of documents `c` that meet the condition. */
  of(collection: string, condition: Fragment): number
  /** After each change of the collection's documents by this connection. */
  forget(collection: string): void
  clear(): void
}

/** Kept counts of each collection. */
const KEPT_MAX = 200

/** `isAlone`: no other connection writes. */
export function createCounts(statements: Statements, isAlone: boolean): Counts {
  const kept = new Map<string, LruCache<number>>()
  let version: unknown

  /** Changes by other connections are noticed by the version, which SQLite reads from the journal in memory. */
  function keptOf(collection: string): LruCache<number> {
    const now = isAlone ? version : statements.get('pragma data_version')?.['data_version']
    if (now !== version) kept.clear()
    version = now
    const counts = kept.get(collection) ?? createLruCache<number>(KEPT_MAX)
    kept.set(collection, counts)
    return counts
  }

  return {
    of(collection, { sql, values }) {
      const counts = keptOf(collection)
      const key = JSON.stringify([sql, values])
      const known = counts.get(key)
      if (known !== undefined) return known
      const row = statements.get(`select count(*) as count from ${tableOf(collection)} as c where ${sql}`, values)
      const count = Number(row?.['count'])
      counts.put(key, count)
      return count
    },
    forget: (collection) => void kept.delete(collection),
    clear: () => kept.clear(),
  }
}
