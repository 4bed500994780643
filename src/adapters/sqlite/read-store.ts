/**
 * Read store in a separate SQLite file. Calls are synchronous inside: each is bounded to a page or to one commit of the projector.
 */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { START, type Position } from '../../events/position.ts'
import { StorageTrouble } from '../../ports/server.ts'
import {
  NoCollection,
  type CollectionSpec,
  type Commit,
  type Key,
  type KeyPage,
  type KeyQuery,
  type Page,
  type Query,
  type ReadStore,
  type StoredDocument,
  type Sum,
  type Sums,
  type Tallied,
  type TallyRange,
} from '../../ports/read-store.ts'
import {
  checkFilters,
  checkIds,
  checkKeyQuery,
  checkMembers,
  checkQuery,
  checkSpec,
  checkSums,
  checkTally,
  DEFAULT_SCAN,
  servingIndex,
} from '../shared/query-rules.ts'
import { inTransaction, isDamage } from './connection.ts'
import { createDocumentWriter, type DocumentWriter } from './read-store-commit.ts'
import { markIfDamaged, openReadStoreFile, openReadStoreUntouched } from './read-store-file.ts'
import { allOf, countCondition, type Fragment } from './read-store-filters.ts'
import { candidatesOf, countOf, keyWalkOf, sourceAmong, sourcesOf, talliesOf, walkOf } from './read-store-find.ts'
import { documentOf, readColumns } from './read-store-rows.ts'
import { readSums, sumsOf } from './read-store-sums.ts'
import { byShape } from './read-store-shapes.ts'
import { completeIndexes, completeIndexesByAndBy } from './read-store-indexing.ts'
import { COLLECTIONS, creationOf, removalOf, tableOf } from './read-store-schema.ts'
import { createCounts, type Counts } from './read-store-counts.ts'
import { asTrouble, onFile } from './storage-trouble.ts'
import { createStatements, type Statements, type Values } from './statements.ts'

interface Store {
  readonly db: DatabaseSync
  readonly statements: Statements
  readonly specs: Map<string, CollectionSpec>
  readonly writers: Map<string, DocumentWriter>
  /** Collections whose indexes are complete. */
  readonly indexed: Set<string>
  /** For each collection the queries for which a walk is better, as found since its last commit. */
  readonly walked: Map<string, Set<string>>
  readonly counts: Counts
  readonly untouched: boolean
}

export interface SqliteReadStoreOptions {
  readonly file: string
  /** Read-only: leaves the file of a stopped server unchanged. @throws Error it is missing, or not of this version */
  readonly untouched?: boolean
}

export function createSqliteReadStore({ file, untouched = false }: SqliteReadStoreOptions): ReadStore {
  const db = onFile(file, () => (untouched ? openReadStoreUntouched(file) : openReadStoreFile(file)))
  const [specs, writers, indexed, walked] = [new Map(), new Map(), new Set<string>(), new Map()]
  const statements = createStatements(db)
  const store: Store = { db, statements, specs, writers, indexed, walked, counts: createCounts(statements), untouched }
  const guarded = async <Result>(run: () => Result | Promise<Result>): Promise<Result> => {
    try {
      return await run()
    } catch (error) {
      if (!untouched) markIfDamaged(file, error)
      throw isDamage(error) ? new StorageTrouble('views-damaged', file, { cause: error }) : asTrouble(file, error)
    }
  }
  return {
    open: (specs) => guarded(() => inTransaction(db, () => specs.forEach((spec) => open(store, spec)))),
    get: (collection, id, only) => guarded(() => get(store, specOf(store, collection), { id, only })),
    getMany: (collection, ids) => guarded(() => getMany(store, collection, ids)),
    find: (collection, query) => guarded(() => find(store, indexedSpecOf(store, collection), query)),
    keys: (collection, query) => guarded(() => keys(store, indexedSpecOf(store, collection), query)),
    count: (collection, where) => guarded(() => count(store, indexedSpecOf(store, collection), where)),
    tally: (collection, field, range) => guarded(() => tally(store, indexedSpecOf(store, collection), { field, range })),
    sum: (collection, sums) => guarded(() => sum(store, indexedSpecOf(store, collection), sums)),
    commit: (...commits) => guarded(() => applyAll(store, commits)),
    buildIndexes: (collections) => guarded(() => buildIndexes(store, collections)),
    checkpoint: (collection) => guarded(() => stateOf(store, collection).checkpoint),
    collections: () => guarded(() => store.statements.all(`select name from ${COLLECTIONS}`).map(({ name }) => String(name))),
    drop: (collection) => guarded(() => inTransaction(db, () => drop(store, collection))),
    async close() {
      if (db.isOpen) db.close()
    },
  }
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
  store.specs.delete(name)
  store.writers.delete(name)
  store.indexed.delete(name)
  store.counts.forget(name)
  if (!spec) return
  store.statements.clear()
  store.db.exec(removalOf(spec))
  store.statements.run(`delete from ${COLLECTIONS} where name = ?`, [name])
}

interface State {
  readonly checkpoint: Position
  readonly epoch: number
  /** Whether any index was built. */
  readonly indexed: boolean
}

function stateOf({ statements }: Store, name: string): State {
  const row = statements.get(`select checkpoint, epoch, indexed from ${COLLECTIONS} where name = ?`, [name])
  if (!row) throw new NoCollection(name)
  return { checkpoint: String(row['checkpoint']) as Position, epoch: Number(row['epoch']), indexed: row['indexed'] !== 0 }
}

function applyAll(store: Store, commits: readonly Commit[]): 'applied' | 'fenced' {
  return inTransaction(store.db, () => {
    const states = commits.map((commit) => ({ commit, state: stateOf(store, commit.collection) }))
    if (states.some(({ commit, state }) => state.checkpoint !== commit.from || commit.epoch < state.epoch)) return 'fenced'
    for (const { commit, state } of states) apply(store, commit, state)
    return 'applied'
  })
}

function apply(store: Store, commit: Commit, { indexed }: State): void {
  const { collection, to, epoch } = commit
  const spec = specOf(store, collection)
  // Once some index exists, commits maintain it: so all of them must be complete.
  if (indexed) completeIndexes(store, spec)
  store.walked.delete(collection)
  if (commit.puts.length + commit.removes.length > 0) store.counts.forget(collection)
  const writer = store.writers.get(collection) ?? createDocumentWriter(store.statements, spec)
  store.writers.set(collection, writer)
  writer(commit, indexed)
  store.statements.run(`update ${COLLECTIONS} set checkpoint = ?, epoch = ? where name = ?`, [to, epoch, collection])
}

/** The spec of a collection that is ready for queries. */
function indexedSpecOf(store: Store, name: string): CollectionSpec {
  const spec = specOf(store, name)
  if (!store.indexed.has(name) && !store.untouched) inTransaction(store.db, () => completeIndexes(store, spec))
  store.indexed.add(name)
  return spec
}

async function buildIndexes(store: Store, collections: readonly string[]): Promise<void> {
  for (const name of collections) await completeIndexesByAndBy(store, specOf(store, name))
}

function get(store: Store, spec: CollectionSpec, { id, only }: { readonly id: string; readonly only: readonly string[] | undefined }) {
  checkMembers(spec, only)
  const [row] = store.statements.rows(`select ${readColumns(spec, only, 'c')} from ${tableOf(spec.name)} as c where id = ?`, [id])
  return row && documentOf(spec, row, omitUndefined({ only }))
}

function getMany(store: Store, collection: string, ids: readonly string[]): readonly StoredDocument[] {
  checkIds(ids)
  const spec = specOf(store, collection)
  const sql = `select ${readColumns(spec, undefined, 'c')} from ${tableOf(spec.name)} as c where id in (select value from json_each(?))`
  const found = new Map(store.statements.rows(sql, [JSON.stringify(ids)]).map((row) => [row[0], documentOf(spec, row)]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

function count(store: Store, spec: CollectionSpec, where: Query['where'] = []): number {
  checkFilters(spec, where)
  return store.counts.of(spec.name, allOf(where.map((filter) => countCondition(spec.name, filter, 'c'))))
}

function tally(
  store: Store,
  spec: CollectionSpec,
  { field, range }: { readonly field: string; readonly range: TallyRange },
): readonly Tallied[] {
  checkTally(spec, field, range)
  return all(store, talliesOf(spec, field, range)).map(([value, count]) => ({ value: String(value), count: Number(count) }))
}

function sum(store: Store, spec: CollectionSpec, sums: Sums): readonly Sum[] {
  checkSums(spec, sums)
  return readSums(spec, sums, all(store, sumsOf(spec, sums)))
}

function find(store: Store, spec: CollectionSpec, query: Query): Page {
  checkQuery(spec, query)
  if (query.among) return pageOf(spec, query, all(store, composeAmong(spec, query).page), null)
  const source = cheapSource(store, spec, query)
  if (source) return pageOf(spec, query, all(store, candidatesOf(spec, query, source)), null)
  const walk = composeWalk(spec, query)
  const rows = all(store, walk.page)
  const [last, beyond] = rows.length > query.limit ? [] : all(store, walk.end)
  return pageOf(spec, query, rows, last && beyond ? last : null)
}

const composeWalk = byShape((spec, query) => ({ ...walkOf(spec, query) }))
const composeAmong = byShape((spec, query) => ({ page: candidatesOf(spec, query, among(spec, query, query.among ?? [])) }))

function keys(store: Store, spec: CollectionSpec, query: KeyQuery): KeyPage {
  checkKeyQuery(spec, query)
  const keyOf = keyReader(spec, query)
  if (query.among) {
    const whole = { ...query, only: [], limit: query.among.length }
    return { keys: all(store, candidatesOf(spec, whole, among(spec, query, query.among))).map(keyOf), next: null }
  }
  const walk = keyWalkOf(spec, query)
  const [last, beyond] = all(store, walk.end)
  return { keys: all(store, walk.keys).map(keyOf), next: last && beyond ? keyOf(last) : null }
}

function among(spec: CollectionSpec, { where = [], sort }: Pick<Query, 'where' | 'sort'>, ids: readonly string[]): Fragment {
  servingIndex(spec, where, sort)
  return sourceAmong(spec, ids)
}

/** A filter with so few documents that examining all of them is expected to cost less than the walk to a full page. */
function cheapSource(store: Store, spec: CollectionSpec, query: Query): Fragment | undefined {
  const walked = store.walked.get(spec.name) ?? new Set()
  const key = JSON.stringify([query.where, query.sort?.field, query.limit, query.scan])
  if (walked.has(key)) return undefined
  const source = findCheapSource(store, spec, query)
  if (!source) store.walked.set(spec.name, walked.size < WALKED_MAX ? walked.add(key) : new Set([key]))
  return source
}

const WALKED_MAX = 500

function findCheapSource(store: Store, spec: CollectionSpec, query: Query): Fragment | undefined {
  const sources = sourcesOf(spec, query)
  if (sources.length === 0) return undefined
  const documents = Number(store.statements.get(`select max(n) as n from ${tableOf(spec.name)}`)?.['n'] ?? 0)
  const few = Math.floor(Math.min(query.scan ?? DEFAULT_SCAN, Math.sqrt(documents * query.limit)))
  return sources.find((source) => Number(all(store, countOf(source, few + 1))[0]?.[0]) <= few)
}

const all = ({ statements }: Store, { sql, values }: Fragment): readonly Values[] => statements.rows(sql, values)

/** `rows` holds one more than the page if there is more; else the walk continues after `stopped`, if it stopped early. */
function pageOf(spec: CollectionSpec, query: Query, rows: readonly Values[], stopped: Values | null): Page {
  const { limit } = query
  const last = rows.length > limit ? rows[limit - 1] : stopped
  return { documents: rows.slice(0, limit).map((row) => documentOf(spec, row, query)), next: last ? keyReader(spec, query)(last) : null }
}

/** Reads rows that begin with the id and end with the sort value. */
function keyReader(spec: CollectionSpec, { sort }: Pick<Query, 'sort'>): (row: Values) => Key {
  const isBoolean = sort !== undefined && spec.fields[sort.field] === 'boolean'
  const value = (k: SQLOutputValue | undefined): string | number | boolean | null =>
    isBoolean && k !== null ? k === 1 : typeof k === 'string' || typeof k === 'number' ? k : null
  return (row) => ({ value: value(row.at(-1)), id: String(row[0]) })
}
