/** LRU cache of the prepared statements of one connection, keyed by their text. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { createLruCache } from '../../concurrency/lru-cache.ts'

export type Row = Readonly<Record<string, SQLOutputValue>>
/** A row's values in the order of its columns. */
export type Values = readonly SQLOutputValue[]

export interface Statements {
  all(sql: string, values?: readonly SQLInputValue[]): readonly Row[]
  /** The same without names, which costs half: only for statements used in this way alone. */
  rows(sql: string, values?: readonly SQLInputValue[]): readonly Values[]
  get(sql: string, values?: readonly SQLInputValue[]): Row | undefined
  run(sql: string, values?: readonly SQLInputValue[]): void
  /** The number of the row that it has added; undefined: it has added none. */
  insert(sql: string, values: readonly SQLInputValue[]): number | undefined
  /** Forgets all of them, since their tables are gone. */
  clear(): void
}

const MAX_KEPT = 500

export function createStatements(db: DatabaseSync): Statements {
  const kept = createLruCache<StatementSync>(MAX_KEPT)
  function prepare(sql: string, unnamed: boolean): StatementSync {
    const statement = db.prepare(sql)
    statement.setReturnArrays(unnamed)
    return statement
  }
  function prepared(sql: string, unnamed = false): StatementSync {
    const known = kept.get(sql)
    if (known) return known
    const statement = prepare(sql, unnamed)
    kept.put(sql, statement)
    return statement
  }
  return {
    all: (sql, values = []) => prepared(sql).all(...values),
    rows: (sql, values = []) => prepared(sql, true).all(...values) as unknown as readonly Values[],
    get: (sql, values = []) => prepared(sql).get(...values),
    run: (sql, values = []) => void prepared(sql).run(...values),
    insert(sql, values) {
      const { changes, lastInsertRowid } = prepared(sql).run(...values)
      return changes === 0 ? undefined : Number(lastInsertRowid)
    },
    clear: () => kept.clear(),
  }
}
