/** Prepared statements of one connection, kept by their text; bounded, the longest unused goes first. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'

export type Row = Readonly<Record<string, SQLOutputValue>>
/** A row's values in the order of its columns. */
export type Values = readonly SQLOutputValue[]

export interface Statements {
  all(sql: string, values?: readonly SQLInputValue[]): readonly Row[]
  /** The same without names, which costs half: of a statement that is asked for in this way only. */
  rows(sql: string, values?: readonly SQLInputValue[]): readonly Values[]
  get(sql: string, values?: readonly SQLInputValue[]): Row | undefined
  run(sql: string, values?: readonly SQLInputValue[]): void
  /** Forgets all of them: their tables are gone. */
  clear(): void
}

const MAX_KEPT = 500

export function createStatements(db: DatabaseSync): Statements {
  const kept = new Map<string, StatementSync>()
  function prepare(sql: string, unnamed: boolean): StatementSync {
    const statement = db.prepare(sql)
    statement.setReturnArrays(unnamed)
    return statement
  }
  function prepared(sql: string, unnamed = false): StatementSync {
    const statement = kept.get(sql) ?? prepare(sql, unnamed)
    kept.delete(sql)
    kept.set(sql, statement)
    const [longestUnused] = kept.keys()
    if (kept.size > MAX_KEPT && longestUnused !== undefined) kept.delete(longestUnused)
    return statement
  }
  return {
    all: (sql, values = []) => prepared(sql).all(...values),
    rows: (sql, values = []) => prepared(sql, true).all(...values) as unknown as readonly Values[],
    get: (sql, values = []) => prepared(sql).get(...values),
    run: (sql, values = []) => void prepared(sql).run(...values),
    clear: () => kept.clear(),
  }
}
