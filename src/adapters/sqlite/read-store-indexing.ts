/**
 * Builds a collection's indexes: the statements that queries depend on, one after another. The number of completed ones is stored with the
 * collection, so that it resumes after a crash.
 */
import { setImmediate } from 'node:timers/promises'
import type { DatabaseSync } from 'node:sqlite'
import type { CollectionSpec } from '../../ports/read-store.ts'
import { COLLECTIONS, indexingOf } from './read-store-schema.ts'
import type { States } from './read-store-states.ts'
import type { Transactions } from './read-store-transactions.ts'
import type { Statements } from './statements.ts'

export interface IndexedFile {
  readonly db: DatabaseSync
  readonly statements: Statements
}

export interface WrittenFile extends IndexedFile {
  readonly transactions: Pick<Transactions, 'now'>
  readonly states: Pick<States, 'clear'>
}

/** Builds the missing indexes. The caller holds the transaction. */
export function completeIndexes(file: IndexedFile, spec: CollectionSpec): void {
  while (makeNext(file, spec)) continue
}

/** The same with one transaction for each, so that other work gets its turn in between. */
export async function completeIndexesByAndBy(file: WrittenFile, spec: CollectionSpec): Promise<void> {
  const { transactions, states } = file
  while (transactions.now(() => makeNext(file, spec))) {
    // From the first index on, commits maintain them.
    states.clear()
    await setImmediate()
  }
}

export const hasAllIndexes = ({ statements }: Pick<IndexedFile, 'statements'>, spec: CollectionSpec): boolean =>
  missingIn(statements, spec) === undefined

/** The next statement to run; undefined: nothing is missing. */
function missingIn(statements: Statements, spec: CollectionSpec): string | undefined {
  return statementsOf(spec)[Number(statements.get(`select indexed from ${COLLECTIONS} where name = ?`, [spec.name])?.['indexed'])]
}

/** False: nothing was missing. */
function makeNext({ db, statements }: IndexedFile, spec: CollectionSpec): boolean {
  const next = missingIn(statements, spec)
  if (next === undefined) return false
  db.exec(next)
  statements.run(`update ${COLLECTIONS} set indexed = indexed + 1 where name = ?`, [spec.name])
  return true
}

/** Every commit asks whether any is missing. */
const known = new WeakMap<CollectionSpec, readonly string[]>()

function statementsOf(spec: CollectionSpec): readonly string[] {
  const made = known.get(spec) ?? indexingOf(spec)
  known.set(spec, made)
  return made
}
