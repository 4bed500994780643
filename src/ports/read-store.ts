/**
 * ReadStore: documents that projections keep and routes query. May be deleted at any time: the log rebuilds it.
 *
 * A collection is one generation of one view's documents. Its spec names the fields that queries may use and the indexes that serve them. A
 * query on anything else is refused, so that no query without an index can be written by accident.
 */
import type { Json, JsonObject } from '../events/envelope.ts'
import type { Position } from '../events/position.ts'

export type FieldType = 'text' | 'number' | 'boolean' | 'list' | 'tokens' | 'tally' | 'json'

export interface CollectionSpec {
  /** `<view>_g<version>`: lower case letters, digits and underscores. */
  readonly name: string
  /**
   * Top-level members of the documents that queries may filter or sort by. `list`: an array of strings or numbers, matched by `has`.
   * `tokens`: an array of words, matched by prefix with `tokens` (a separate index of words). `tally`: an array of texts that no query
   * filters by; the store counts the documents that hold each. `json`: any value, which no query filters by; it is declared so that it can
   * be read alone (`only`).
   */
  readonly fields: Readonly<Record<string, FieldType>>
  /**
   * Each index: field names in order (not of lists or tokens); the document's id is always the last key. An index serves a sort by its last
   * field, in both directions, if `eq` filters fix the fields before it.
   */
  readonly indexes: readonly (readonly string[])[]
  /** Fields of which no two documents hold the same value: one index that ends with such a field may serve both directions. */
  readonly unique?: readonly string[]
  /** Fields that no query seeks as null: an index that begins with one, and has others, may leave out the documents without it. */
  readonly sparse?: readonly string[]
}

export interface StoredDocument {
  readonly id: string
  /** Position of the last event folded in. */
  readonly at: Position
  readonly body: JsonObject
}

/** A missing or null field matches only `eq null`, and no other filter. */
export type Filter =
  | { readonly field: string; readonly op: 'eq'; readonly value: string | number | boolean | null }
  | { readonly field: string; readonly op: 'in'; readonly values: readonly (string | number)[] }
  | { readonly field: string; readonly op: 'gt' | 'gte' | 'lt' | 'lte'; readonly value: string | number }
  | { readonly field: string; readonly op: 'prefix'; readonly value: string }
  /** The list holds at least one of the values. */
  | { readonly field: string; readonly op: 'has'; readonly values: readonly (string | number)[] }
  /** Each word is a prefix of at least one token. */
  | { readonly field: string; readonly op: 'tokens'; readonly words: readonly string[] }

export interface Sort {
  readonly field: string
  readonly direction: 'asc' | 'desc'
}

/** A document's position in the order of a query: its sort value (null without a sort) and its id. */
export interface Key {
  readonly value: Json
  readonly id: string
}

export interface Query {
  readonly where?: readonly Filter[]
  /** Nulls come last in both directions; ties by id, ascending. Without a sort: by id. */
  readonly sort?: Sort
  /** Keyset pagination: only documents after this sort value and id, in the query's order. */
  readonly after?: Key
  /** Only documents with these ids, at most 1,000: all of them are examined and sorted. */
  readonly among?: readonly string[]
  /** Only these declared members of the documents, null if missing; the others are not read at all. */
  readonly only?: readonly string[]
  /** A `json` member among those of `only`: a store that keeps JSON may return its text, which costs less than reading it. */
  readonly unparsed?: string
  /** 1 to 1,000 documents. */
  readonly limit: number
  /** Most documents to examine along the sort index before a shorter page is returned; default 2,000. */
  readonly scan?: number
}

export interface Page {
  readonly documents: readonly StoredDocument[]
  /** Where to continue if more may follow, also after a page that `scan` cut short; else null. */
  readonly next: Key | null
}

/** A pass over a whole list that needs only the order of the documents. */
export interface KeyQuery extends Pick<Query, 'where' | 'sort' | 'after' | 'among'> {
  /**
   * 1 to 10,000 documents to examine along the sort index; with `among` all of those are examined. A store may examine all documents of a
   * filter instead, if they are no more than this.
   */
  readonly scan: number
}

export interface KeyPage {
  /** Keys of all examined documents that match the filters. */
  readonly keys: readonly Key[]
  /** The last document examined, if there are more; else null. */
  readonly next: Key | null
}

export interface Commit {
  readonly collection: string
  /** Fence: a commit with an epoch lower than the highest one seen is refused. */
  readonly epoch: number
  /** Expected current checkpoint, and the new one. */
  readonly from: Position
  readonly to: Position
  readonly puts: readonly StoredDocument[]
  readonly removes: readonly { readonly id: string; readonly at: Position }[]
}

export interface TallyRange {
  /** Only values with this prefix. */
  readonly prefix: string
  /** Only values after this one. */
  readonly after?: string
  /** 1 to 1,000 values. */
  readonly limit: number
}

export interface Tallied {
  readonly value: string
  /** At least 1. */
  readonly count: number
}

/** Counts documents in groups and adds up one of their number fields. */
export interface Sums {
  readonly where?: readonly Filter[]
  /** Fields (no lists) whose values together make a group; at most 3. */
  readonly by?: readonly string[]
  /** The bucket of a number field is part of the group, too. */
  readonly bucket?: Bucket
  /** The number field to add up; null counts as 0. */
  readonly of: string
}

/** `floor((value + offset) / width)`; with `cycle` modulo that, so that buckets repeat. All are integers, width and cycle positive. */
export interface Bucket {
  readonly field: string
  readonly offset: number
  readonly width: number
  readonly cycle?: number
}

export interface Sum {
  /** Null if no bucket was requested, or the field is null. */
  readonly bucket: number | null
  /** In the order of `by`. */
  readonly keys: readonly (string | number | boolean | null)[]
  readonly count: number
  readonly sum: number
}

/** No collection has that name: it was never opened, or another process has dropped it. */
export class NoCollection extends TypeError {
  readonly code = 'no-collection'
  constructor(name: string) {
    super(`There is no collection ${name}`)
    this.name = 'NoCollection'
  }
}

export const GROUPS_MAX = 100_000

export class TooManyGroups extends RangeError {
  readonly code = 'too-many-groups'
  constructor(collection: string) {
    super(`${collection}: more than ${GROUPS_MAX} groups`)
    this.name = 'TooManyGroups'
  }
}

/** @throws NoCollection any call that names a missing collection */
export interface ReadStore {
  /** Most events of one commit. Unset: any number. A transaction that changes too many documents takes longer than an engine's timeout. */
  readonly eventsPerCommit?: number
  /** Creates missing collections and indexes; idempotent. If a known name has another spec, it is recreated empty. */
  open(specs: readonly CollectionSpec[]): Promise<void>
  /** `only`: these declared members, null if missing; the others are not read at all. */
  get(collection: string, id: string, only?: readonly string[]): Promise<StoredDocument | undefined>
  /** The existing documents, in the order of the requested ids; at most 1,000. */
  getMany(collection: string, ids: readonly string[]): Promise<readonly StoredDocument[]>
  find(collection: string, query: Query): Promise<Page>
  /** The keys of documents in the order of a query. They cost far less than the documents, none of which is read. */
  keys(collection: string, query: KeyQuery): Promise<KeyPage>
  count(collection: string, where: readonly Filter[]): Promise<number>
  /** Values of a `tally` field, ascending, each with the number of documents that hold it. The cost is proportional to the result. */
  tally(collection: string, field: string, range: TallyRange): Promise<readonly Tallied[]>
  /** In no order. @throws TooManyGroups more than 100,000 */
  sum(collection: string, sums: Sums): Promise<readonly Sum[]>
  /**
   * Stores documents and checkpoint in one step if the engine can, else documents first and the checkpoint last. Several commits, each of
   * another collection, are also one step if the engine can, else they are made in order. `fenced`: one of them was refused, and nothing
   * after it was stored.
   */
  commit(...commits: readonly Commit[]): Promise<'applied' | 'fenced'>
  /**
   * Makes the indexes of new collections: a store may defer them until a query needs them, since building them in one go is cheapest. Call
   * it when a collection has been filled; idempotent.
   */
  buildIndexes(collections: readonly string[]): Promise<void>
  /**
   * Why the collection lacks commits that were applied: a store that puts several on disk together may lose them, and the projector makes
   * them again. Until then its documents are older than what was shown. Undefined: it lacks none. A store that cannot lose any has no such
   * method.
   */
  lost?(collection: string): unknown
  /** START if nothing was committed yet. */
  checkpoint(collection: string): Promise<Position>
  /** The highest epoch of all collections; 0 if nothing was committed yet. */
  lastEpoch(): Promise<number>
  /** Names of the collections that exist. */
  collections(): Promise<readonly string[]>
  /** Drops a collection with its checkpoint. */
  drop(collection: string): Promise<void>
  close(): Promise<void>
}
