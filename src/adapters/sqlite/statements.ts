/** Prepared statements of one connection, kept by their text; bounded, the longest unused goes first. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'

export type Row = Readonly<Record<string, SQLOutputValue>>

export interface Statements {
  all(sql: string, values?: readonly SQLInputValue[]): readonly Row[]
  get(sql: string, values?: readonly SQLInputValue[]): Row | undefined
  run(sql: string, values?: readonly SQLInputValue[]): void
  /** Forgets all of them: their tables are gone. */
  clear(): void
}

const MAX_KEPT = 500

export function createStatements(db: DatabaseSync): Statements {
  const kept = new Map<string, StatementSync>()
  function prepared(sql: string): StatementSync {
    const statement = kept.get(sql) ?? db.prepare(sql)
    kept.delete(sql)
    kept.set(sql, statement)
    const [longestUnused] = kept.keys()
    if (kept.size > MAX_KEPT && longestUnused !== undefined) kept.delete(longestUnused)
    return statement
  }
  return {
    all: (sql, values = []) => prepared(sql).all(...values),
    get: (sql, values = []) => prepared(sql).get(...values),
    run: (sql, values = []) => void prepared(sql).run(...values),
    clear: () => kept.clear(),
  }
}
