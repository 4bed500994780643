/**
 * Read store in a separate SQLite file. Calls are synchronous inside: each is bounded to a page or to one commit of the projector.
 */
import { START, type Position } from '../../events/position.ts'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { Clock } from '../../ports/clock.ts'
import { StorageTrouble } from '../../ports/server.ts'
import { NoCollection, type CollectionSpec, type Commit, type ReadStore } from '../../ports/read-store.ts'
import { checkSpec } from '../shared/query-rules.ts'
import { noRoomFor, type FreeBytes } from './commit-room.ts'
import { isDamage } from './connection.ts'
import { createDocumentWriter, type DocumentWriter } from './read-store-commit.ts'
import { createCounts } from './read-store-counts.ts'
import { createJournalCheckpoints, type JournalCheckpoints } from './journal-checkpoints.ts'
import { markIfDamaged, openReadStoreFile, openReadStoreUntouched } from './read-store-file.ts'
import { completeIndexes, completeIndexesByAndBy, hasAllIndexes, type IndexedFile } from './read-store-indexing.ts'
import { createKeptRows } from './read-store-kept-rows.ts'
import { count, find, get, getMany, keys, sum, tally, type Queried } from './read-store-queries.ts'
import { COLLECTIONS, creationOf, removalOf } from './read-store-schema.ts'
import { createStates, type State, type States } from './read-store-states.ts'
import { createTransactions, type Transactions } from './read-store-transactions.ts'
import { asTrouble, onFile } from './storage-trouble.ts'
import { createStatements } from './statements.ts'

interface Store extends IndexedFile, Queried {
  readonly states: States
  readonly specs: Map<string, CollectionSpec>
  readonly writers: Map<string, DocumentWriter>
  /** Collections whose indexes are complete. */
  readonly indexed: Set<string>
  readonly transactions: Transactions
  readonly untouched: boolean
  readonly journal: JournalCheckpoints | undefined
}

export interface SqliteReadStoreOptions {
  readonly file: string
  /** Read-only: leaves the file of a stopped server unchanged. @throws Error it is missing, or not of this version */
  readonly untouched?: boolean
  /** With a clock, commits share transactions (read-store-transactions.ts): no other process may use the file. */
  readonly clock?: Pick<Clock, 'after'> | undefined
  /** Default: as the file system says. */
  readonly freeBytes?: FreeBytes
}

export function createSqliteReadStore({ file, untouched = false, clock, freeBytes }: SqliteReadStoreOptions): ReadStore {
  const db = onFile(file, () => (untouched ? openReadStoreUntouched(file) : openReadStoreFile(file)))
  const store = storeOn(db, { file, untouched, clock, ...omitUndefined({ freeBytes }) })
  const { now } = store.transactions
  const guarded = async <Result>(run: () => Result | Promise<Result>): Promise<Result> => {
    try {
      return await run()
    } catch (error) {
      if (!untouched) markIfDamaged(file, error)
      throw isDamage(error) ? new StorageTrouble('views-damaged', file, { cause: error }) : asTrouble(file, error)
    }
  }
  return {
    open: (specs) => guarded(() => now(() => specs.forEach((spec) => open(store, spec)))),
    get: (collection, id, only) => guarded(() => get(store, specOf(store, collection), { id, only })),
    getMany: (collection, ids) => guarded(() => getMany(store, specOf(store, collection), ids)),
    find: (collection, query) => guarded(() => find(store, indexedSpecOf(store, collection), query)),
    keys: (collection, query) => guarded(() => keys(store, indexedSpecOf(store, collection), query)),
    count: (collection, where) => guarded(() => count(store, indexedSpecOf(store, collection), where)),
    tally: (collection, field, range) => guarded(() => tally(store, indexedSpecOf(store, collection), { field, range })),
    sum: (collection, sums) => guarded(() => sum(store, indexedSpecOf(store, collection), sums)),
    commit: (...commits) => guarded(() => applyAll(store, commits)),
    buildIndexes: (collections) => guarded(() => buildIndexes(store, collections)),
    lost(collection) {
      const cause = store.states.lost(collection)
      return cause === undefined ? undefined : asTrouble(file, cause)
    },
    checkpoint: (collection) => guarded(() => checkpoint(store, collection)),
    lastEpoch: () => guarded(() => now(() => lastEpoch(store))),
    collections: () => guarded(() => store.statements.all(`select name from ${COLLECTIONS}`).map(({ name }) => String(name))),
    drop: (collection) => guarded(() => now(() => drop(store, collection))),
    async close() {
      if (!db.isOpen) return
      try {
        store.transactions.end()
        await store.journal?.close()
      } finally {
        if (db.isOpen) db.close()
      }
    },
  }
}

function storeOn(db: IndexedFile['db'], { file, untouched = false, clock, freeBytes }: SqliteReadStoreOptions): Store {
  const statements = createStatements(db)
  const journal = clock && createJournalCheckpoints({ db, file, after: (ms, callback) => clock.after(ms, callback) })
  // With a clock no other process may use the file.
  const isAlone = clock !== undefined
  const [states, counts, indexed] = [createStates(statements), createCounts(statements, isAlone), new Set<string>()]
  const [specs, writers, walked, rows] = [new Map(), new Map(), new Map(), createKeptRows()]
  let version: unknown
  function forget(): void {
    indexed.clear()
    specs.clear()
    writers.clear()
    rows.clear()
    states.clear()
  }
  const transactions = createTransactions({
    db,
    clock,
    noRoom: (documents) => noRoomFor(file, documents, freeBytes),
    begun() {
      const before = version
      version = statements.get('pragma data_version')?.['data_version']
      if (version !== before) forget()
    },
    ending: states.store,
    ended() {
      states.stored()
      journal?.committed()
    },
    undone() {
      forget()
      states.undo()
    },
    lost(cause) {
      states.lose(cause)
      forget()
      counts.clear()
    },
  })
  const rowsHold = (): boolean => isAlone || transactions.isOpen() || statements.get('pragma data_version')?.['data_version'] === version
  return { db, rowsHold, statements, specs, writers, indexed, walked, rows, counts, untouched, states, transactions, journal }
}

/** The spec of a collection in the file; another store may have made it. */
function specOf(store: Store, name: string): CollectionSpec {
  const spec = store.specs.get(name) ?? storedSpec(store, name)
  if (!spec) throw new NoCollection(name)
  store.specs.set(name, spec)
  return spec
}

function storedSpec({ statements }: Store, name: string): CollectionSpec | undefined {
  const row = statements.get(`select spec from ${COLLECTIONS} where name = ?`, [name])
  return row && (JSON.parse(String(row['spec'])) as CollectionSpec)
}

function open(store: Store, spec: CollectionSpec): void {
  checkSpec(spec)
  const text = JSON.stringify(spec)
  if (JSON.stringify(storedSpec(store, spec.name)) === text) return
  drop(store, spec.name)
  store.db.exec(creationOf(spec))
  store.statements.run(`insert into ${COLLECTIONS} (name, spec, checkpoint, epoch, indexed) values (?, ?, ?, 0, 0)`, [
    spec.name,
    text,
    START,
  ])
}

function drop(store: Store, name: string): void {
  const spec = storedSpec(store, name)
  store.states.drop(name)
  store.rows.clear()
  store.specs.delete(name)
  store.writers.delete(name)
  store.indexed.delete(name)
  store.counts.forget(name)
  if (!spec) return
  store.statements.clear()
  store.db.exec(removalOf(spec))
  store.statements.run(`delete from ${COLLECTIONS} where name = ?`, [name])
}

function checkpoint({ states, transactions }: Store, name: string): Position {
  // Another connection may have changed it, unless this one is writing.
  if (!transactions.isOpen()) states.clear()
  return states.of(name).checkpoint
}

const lastEpoch = ({ statements }: Store): number =>
  Number(statements.get(`select max(epoch) as epoch from ${COLLECTIONS}`)?.['epoch'] ?? 0)

/** What moves checkpoints can be made again from the log. */
const isRepeatable = ({ from, to }: Commit): boolean => to > from

function applyAll(store: Store, commits: readonly Commit[]): 'applied' | 'fenced' {
  const { states, transactions } = store
  const stateOf = ({ collection }: Commit): State => states.of(collection)
  const check = (): 'fenced' | undefined => {
    for (const commit of commits) {
      const cause = states.lost(commit.collection)
      if (stateOf(commit).checkpoint !== commit.from && cause !== undefined) throw cause
    }
    const isFenced = commits.some((commit) => stateOf(commit).checkpoint !== commit.from || commit.epoch < stateOf(commit).epoch)
    return isFenced ? 'fenced' : undefined
  }
  const write = (): 'applied' => {
    const found = commits.map((commit) => ({ commit, state: stateOf(commit) }))
    for (const { commit, state } of found) apply(store, commit, state)
    for (const { commit, state } of found) states.set(commit.collection, { ...state, checkpoint: commit.to, epoch: commit.epoch })
    return 'applied'
  }
  if (!commits.every(isRepeatable)) return transactions.now(() => check() ?? write())
  const weight = commits.reduce((sum, { puts, removes }) => sum + puts.length + removes.length, 0)
  return transactions.soon({ weight, check, write })
}

function apply(store: Store, commit: Commit, { indexed }: State): void {
  const { collection } = commit
  const spec = specOf(store, collection)
  // Once some index exists, commits maintain it: so all of them must be complete.
  if (indexed && !store.indexed.has(collection)) {
    completeIndexes(store, spec)
    store.indexed.add(collection)
  }
  store.walked.delete(collection)
  if (commit.puts.length + commit.removes.length > 0) store.counts.forget(collection)
  const writer = store.writers.get(collection) ?? createDocumentWriter(store.statements, store.rows, spec)
  store.writers.set(collection, writer)
  writer(commit, indexed)
}

/** The spec of a collection that is ready for queries. */
function indexedSpecOf(store: Store, name: string): CollectionSpec {
  const spec = specOf(store, name)
  if (!store.indexed.has(name) && !store.untouched && !hasAllIndexes(store, spec)) {
    store.transactions.now(() => completeIndexes(store, spec))
    store.states.clear()
  }
  store.indexed.add(name)
  return spec
}

async function buildIndexes(store: Store, collections: readonly string[]): Promise<void> {
  for (const name of collections) await completeIndexesByAndBy(store, specOf(store, name))
}
