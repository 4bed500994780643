/** Read store in memory: for tests, and as the simplest implementation of the port. */
import type { Json, JsonObject } from '../../events/envelope.ts'
import { START, type Position } from '../../events/position.ts'
import {
  NoCollection,
  type CollectionSpec,
  type Commit,
  type Filter,
  type Key,
  type KeyPage,
  type KeyQuery,
  type Page,
  type Query,
  type ReadStore,
  type Sort,
  type Sum,
  type Sums,
  type StoredDocument,
  type Tallied,
  type TallyRange,
} from '../../ports/read-store.ts'
import { byCodePoints } from '../../vocabulary/code-point-order.ts'
import { createGroupSums } from '../shared/group-sums.ts'
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
  fieldValue,
  servingIndex,
} from '../shared/query-rules.ts'

interface Collection {
  readonly spec: CollectionSpec
  readonly documents: Map<string, StoredDocument>
  checkpoint: Position
  epoch: number
}

export interface MemoryReadStoreOptions {
  /** False if the caller never changes a document after storing it: then it is not copied. */
  readonly copies?: boolean
}

export function createMemoryReadStore({ copies = true }: MemoryReadStoreOptions = {}): ReadStore {
  const collections = new Map<string, Collection>()
  const collection = (name: string): Collection => {
    const found = collections.get(name)
    if (!found) throw new NoCollection(name)
    return found
  }
  return {
    async open(specs) {
      for (const spec of specs) {
        checkSpec(spec)
        if (JSON.stringify(collections.get(spec.name)?.spec) === JSON.stringify(spec)) continue
        collections.set(spec.name, { spec, documents: new Map(), checkpoint: START, epoch: 0 })
      }
    },
    async get(name, id, only) {
      const { spec, documents } = collection(name)
      checkMembers(spec, only)
      const document = documents.get(id)
      return document && partOf(document, only)
    },
    async getMany(name, ids) {
      checkIds(ids)
      const { documents } = collection(name)
      return ids.flatMap((id) => documents.get(id) ?? [])
    },
    find: async (name, query) => find(collection(name), query),
    keys: async (name, query) => keys(collection(name), query),
    async count(name, where) {
      const { spec, documents } = collection(name)
      checkFilters(spec, where)
      return [...documents.values()].filter((document) => matchesAll(document, where)).length
    },
    tally: async (name, field, range) => tally(collection(name), field, range),
    sum: async (name, sums) => sum(collection(name), sums),
    async commit(...commits) {
      const targets = commits.map((commit) => ({ commit, target: collection(commit.collection) }))
      if (targets.some(({ commit, target }) => isFenced(target, commit))) return 'fenced'
      for (const { commit, target } of targets) check(target, commit)
      for (const { commit, target } of targets) apply(target, commit, copies)
      return 'applied'
    },
    async buildIndexes(names) {
      names.forEach(collection)
    },
    checkpoint: async (name) => collection(name).checkpoint,
    lastEpoch: async () => Math.max(0, ...[...collections.values()].map(({ epoch }) => epoch)),
    collections: async () => [...collections.keys()],
    drop: async (name) => void collections.delete(name),
    close: async () => collections.clear(),
  }
}

const isFenced = (collection: Collection, { epoch, from }: Commit): boolean => collection.checkpoint !== from || epoch < collection.epoch

function check({ spec }: Collection, { puts }: Commit): void {
  for (const document of puts) for (const field of Object.keys(spec.fields)) fieldValue(spec, document, field)
}

function apply(collection: Collection, { epoch, to, puts, removes }: Commit, copies: boolean): void {
  for (const { id } of removes) collection.documents.delete(id)
  for (const { id, at, body } of puts) collection.documents.set(id, { id, at, body: copies ? copyOfObject(body) : body })
  collection.checkpoint = to
  collection.epoch = epoch
}

/**
 * Copies a document's body, so that later changes of it have no effect. Many times as fast as `structuredClone`, which supports more than
 * JSON.
 */
function copyOfObject(body: JsonObject): JsonObject {
  const copy: Record<string, Json> = {}
  for (const [name, value] of Object.entries(body)) copy[name] = copyOf(value)
  return copy
}

function copyOf(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  return isList(value) ? value.map(copyOf) : copyOfObject(value)
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

function tally({ spec, documents }: Collection, field: string, range: TallyRange): readonly Tallied[] {
  checkTally(spec, field, range)
  const { prefix, after, limit } = range
  const counts = new Map<string, number>()
  for (const { body } of documents.values()) {
    for (const value of new Set(listOf(body[field] ?? null).map(String))) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts]
    .filter(([value]) => value.startsWith(prefix) && (after === undefined || byCodePoints(value, after) > 0))
    .sort(([a], [b]) => byCodePoints(a, b))
    .slice(0, limit)
    .map(([value, count]) => ({ value, count }))
}

function sum({ spec, documents }: Collection, sums: Sums): readonly Sum[] {
  checkSums(spec, sums)
  const { where = [], by = [], bucket, of } = sums
  const groups = createGroupSums(spec.name, sums)
  for (const document of documents.values()) {
    if (!matchesAll(document, where)) continue
    const { body } = document
    groups.add({ value: bucket && body[bucket.field], keys: by.map((field) => scalarOf(body[field])), amount: Number(body[of] ?? 0) })
  }
  return groups.list()
}

const scalarOf = (value: Json | undefined): Sum['keys'][number] => (typeof value === 'object' || value === undefined ? null : value)

function find(collection: Collection, query: Query): Page {
  checkQuery(collection.spec, query)
  const { limit, only, scan = DEFAULT_SCAN } = query
  const { matching, beyond } = lookAlong(collection, { ...query, scan })
  const page = matching.slice(0, limit)
  const next = matching.length > limit ? page.at(-1)?.key : beyond
  return { documents: page.map(({ document }) => partOf(document, only)), next: next ?? null }
}

function keys(collection: Collection, query: KeyQuery): KeyPage {
  checkKeyQuery(collection.spec, query)
  const { matching, beyond } = lookAlong(collection, query)
  return { keys: matching.map(({ key }) => key), next: beyond ?? null }
}

interface Looked {
  readonly matching: readonly { readonly document: StoredDocument; readonly key: Key }[]
  /** The last document examined, if there are more. */
  readonly beyond: Key | undefined
}

function lookAlong({ spec, documents }: Collection, { where = [], sort, after, among, ...query }: KeyQuery): Looked {
  const scan = among ? Infinity : query.scan
  const index = servingIndex(spec, where, sort) ?? []
  const fixed = where.filter(({ field, op }) => op === 'eq' && index.includes(field))
  const order = orderOf(sort)
  const all = among ? [...new Set(among)].flatMap((id) => documents.get(id) ?? []) : [...documents.values()]
  const ahead = all
    .filter((document) => matchesAll(document, fixed))
    .map((document) => ({ document, key: keyOf(document, sort) }))
    .sort((a, b) => order(a.key, b.key))
    .filter(({ key }) => !after || order(key, after) > 0)
  const looked = ahead.slice(0, scan)
  return {
    matching: looked.filter(({ document }) => matchesAll(document, where)),
    beyond: ahead.length > scan ? looked.at(-1)?.key : undefined,
  }
}

function partOf(document: StoredDocument, only: readonly string[] | undefined): StoredDocument {
  return only ? { ...document, body: Object.fromEntries(only.map((field) => [field, document.body[field] ?? null])) } : document
}

const keyOf = ({ id, body }: StoredDocument, sort: Sort | undefined): Key => ({ value: sort ? (body[sort.field] ?? null) : null, id })

/** Nulls last in both directions, ties by id. */
function orderOf(sort: Sort | undefined): (a: Key, b: Key) => number {
  const sign = sort?.direction === 'desc' ? -1 : 1
  return (a, b) => {
    if ((a.value === null) !== (b.value === null)) return a.value === null ? 1 : -1
    return sign * compare(a.value, b.value) || byCodePoints(a.id, b.id)
  }
}

function compare(a: Json, b: Json): number {
  return typeof a === 'string' && typeof b === 'string' ? byCodePoints(a, b) : Number(a) - Number(b)
}

const matchesAll = (document: StoredDocument, where: readonly Filter[]): boolean => where.every((filter) => matches(document, filter))

function matches({ body }: StoredDocument, filter: Filter): boolean {
  const value = body[filter.field] ?? null
  if (filter.op === 'eq') return value === filter.value
  if (value === null) return false
  switch (filter.op) {
    case 'in':
      return filter.values.some((one) => one === value)
    case 'prefix':
      return startsWith(value, filter.value)
    case 'has':
      return listOf(value).some((item) => filter.values.some((one) => one === item))
    case 'tokens':
      return filter.words.every((word) => listOf(value).some((item) => startsWith(item, word)))
    default:
      return IN_RANGE[filter.op](compare(value, filter.value))
  }
}

const IN_RANGE = {
  gt: (compared: number) => compared > 0,
  gte: (compared: number) => compared >= 0,
  lt: (compared: number) => compared < 0,
  lte: (compared: number) => compared <= 0,
}

const startsWith = (value: Json, prefix: string): boolean => typeof value === 'string' && value.startsWith(prefix)
const listOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [])
