/**
 * Exposes the read models as typed collections: the only place that turns stored bodies back into documents.
 */
import { setImmediate } from 'node:timers/promises'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { Position } from '../../events/position.ts'
import type { MovieId, UserId } from '../../vocabulary/id.ts'
import { audit, type AuditTile } from '../../../projections/views/audit.ts'
import type { AuditRow } from '../../../projections/views/audit-row.ts'
import { credits, type CreditsDocument } from '../../../projections/views/credits.ts'
import { fileStamps, type FileStampDocument } from '../../../projections/views/file-stamps.ts'
import { files, type FileDocument } from '../../../projections/views/files.ts'
import { historyImports, type HistoryImportDocument } from '../../../projections/views/history-imports.ts'
import { images, type ImageDocument } from '../../../projections/views/images.ts'
import { movieChanges, type MovieChangesDocument } from '../../../projections/views/movie-changes.ts'
import { movieKeysView, type MovieKeysDocument } from '../../../projections/views/movie-keys.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import { movies } from '../../../projections/views/movies.ts'
import { preferencesView, type PreferencesDocument } from '../../../projections/views/preferences.ts'
import { resumePoints, type ResumePointDocument } from '../../../projections/views/resume-points.ts'
import { scans, type ScanDocument } from '../../../projections/views/scans.ts'
import { userMovieId, userMovies, type UserMovieDocument } from '../../../projections/views/user-movies.ts'
import { viewings, type ViewingDocument } from '../../../projections/views/viewings.ts'
import { waitingItems, type WaitingItemDocument } from '../../../projections/views/waiting-items.ts'
import { collectionOf, type View } from '../../../projections/views/view.ts'
import type { Filter, KeyPage, KeyQuery, Query, ReadStore, StoredDocument, Sum, Sums, Tallied, TallyRange } from '../../ports/read-store.ts'
import type { ListPage, PageRequest } from './page.ts'

export interface Collection<Document> {
  get(id: string): Promise<Document | undefined>
  /** Only these declared members of the document; the others are not read. */
  getPart<Name extends keyof Document & string>(id: string, only: readonly Name[]): Promise<Pick<Document, Name> | undefined>
  getMany(ids: readonly string[]): Promise<readonly Document[]>
  find(query: Query): Promise<ListPage<Document>>
  /** The same with one of the members of `only` as JSON, and the ids: for members that are sent as they are stored. */
  findUnparsed(query: Query & { readonly only: readonly string[]; readonly unparsed: string }): Promise<ListPage<Unparsed<Document>>>
  /** Only if the store keeps the documents in the order of the query. */
  keys(query: KeyQuery): Promise<KeyPage>
  count(where: readonly Filter[]): Promise<number>
  /** The number of documents of a list. Without an index of all its filters, the keys are walked in parts. */
  total(list: Pick<Query, 'where' | 'sort'>): Promise<number>
  tally(field: string, range: TallyRange): Promise<readonly Tallied[]>
  sum(sums: Sums): Promise<readonly Sum[]>
  /** All events up to this position have been folded. */
  position(): Promise<Position>
  /** Position of the last event that changed the document. */
  changedAt(id: string): Promise<Position | undefined>
  /** All matches, page by page. */
  walk(query: Omit<Query, 'limit' | 'after'>): AsyncIterable<Document>
}

export interface Unparsed<Document> {
  readonly id: string
  /** JSON of the member. */
  readonly text: string
  /** The other members. */
  readonly part: Partial<Document>
}

export interface ReadModels {
  readonly movies: Collection<MovieDocument>
  readonly files: Collection<FileDocument>
  readonly fileStamps: Collection<FileStampDocument>
  readonly movieKeys: Collection<MovieKeysDocument>
  readonly credits: Collection<CreditsDocument>
  readonly images: Collection<ImageDocument>
  readonly scans: Collection<ScanDocument>
  readonly preferences: Collection<PreferencesDocument>
  readonly userMovies: Collection<UserMovieDocument>
  readonly resumePoints: Collection<ResumePointDocument>
  readonly movieChanges: Collection<MovieChangesDocument>
  readonly viewings: Collection<ViewingDocument>
  readonly historyImports: Collection<HistoryImportDocument>
  readonly waitingItems: Collection<WaitingItemDocument>
  readonly audit: Collection<AuditRow>
  readonly auditTiles: Collection<AuditTile>
  /** The user's own documents of these movies, by movie id. */
  ownOf(userId: UserId, movieIds: readonly MovieId[]): Promise<ReadonlyMap<MovieId, UserMovieDocument>>
  /** The files of a movie; the primary one (the first available file) comes first. */
  filesOf(movie: MovieDocument): Promise<readonly FileDocument[]>
}

const WALK_PAGE = 500
/** Some 30 ms in the embedded store. */
const PAGES_IN_A_TURN = 8

/** A page of a query. Its total, if it was requested, is the number of documents that meet the filters. */
export async function findPage<Document>(
  documents: Pick<Collection<Document>, 'find' | 'total'>,
  query: Pick<Query, 'where' | 'sort'>,
  { after, limit, counted }: PageRequest,
): Promise<ListPage<Document>> {
  const page = await documents.find({ ...query, limit, ...omitUndefined({ after }) })
  return counted ? { ...page, total: await documents.total(query) } : page
}

/** Keys per query: about 10 ms in the embedded store, which serves no other request meanwhile. */
const KEYS = 10_000

async function countKeys(store: ReadStore, name: string, list: Pick<Query, 'where' | 'sort'>): Promise<number> {
  let page = await store.keys(name, { ...list, scan: KEYS })
  let count = page.keys.length
  while (page.next) {
    await setImmediate()
    page = await store.keys(name, { ...list, scan: KEYS, after: page.next })
    count += page.keys.length
  }
  return count
}

/** Whether an index alone answers the filters: values of its first fields, then at most the bounds of one more. */
function isIndexed(where: readonly Filter[], indexes: View<unknown>['indexes']): boolean {
  const fixed = new Set(where.flatMap(({ field, op }) => (op === 'eq' ? field : [])))
  const bounded = new Set(where.flatMap(({ field, op }) => (op === 'eq' ? [] : field)))
  return indexes.some((index) => {
    const [first, last] = [index.slice(0, fixed.size), index[fixed.size]]
    return first.length === fixed.size && first.every((field) => fixed.has(field)) && [...bounded].every((field) => field === last)
  })
}

export function collection<Document>(store: ReadStore, view: View<Document>): Collection<Document> {
  const name = collectionOf(view)
  async function find(query: Query): Promise<ListPage<Document>> {
    const { documents, next } = await store.find(name, query)
    return { items: documents.map(({ body }) => body as Document), next }
  }
  return {
    find,
    async findUnparsed(query) {
      const { documents, next } = await store.find(name, query)
      const read = ({ id, body: { [query.unparsed]: member, ...part } }: StoredDocument): Unparsed<Document> => ({
        id,
        text: typeof member === 'string' ? member : JSON.stringify(member),
        part: part as Partial<Document>,
      })
      return { items: documents.map(read), next }
    },
    keys: (query) => store.keys(name, query),
    count: (where) => store.count(name, where),
    total: (list) => (isIndexed(list.where ?? [], view.indexes) ? store.count(name, list.where ?? []) : countKeys(store, name, list)),
    tally: (field, range) => store.tally(name, field, range),
    sum: (sums) => store.sum(name, sums),
    position: () => store.checkpoint(name),
    changedAt: async (id) => (await store.get(name, id))?.at,
    get: async (id) => (await store.get(name, id))?.body as Document | undefined,
    getPart: async (id, only) => (await store.get(name, id, only))?.body as Pick<Document, (typeof only)[number]> | undefined,
    getMany: async (ids) => (await store.getMany(name, ids)).map(({ body }) => body as Document),
    async *walk(query) {
      let page = await find({ ...query, limit: WALK_PAGE })
      yield* page.items
      for (let pages = 1; page.next; pages++) {
        // The embedded store answers at once: others get their turn in between.
        if (pages % PAGES_IN_A_TURN === 0) await setImmediate()
        page = await find({ ...query, limit: WALK_PAGE, after: page.next })
        yield* page.items
      }
    },
  }
}

export function createReadModels(store: ReadStore): ReadModels {
  const allFiles = collection(store, files)
  const own = collection(store, userMovies)
  return {
    movies: collection(store, movies),
    files: allFiles,
    fileStamps: collection(store, fileStamps),
    movieKeys: collection(store, movieKeysView),
    credits: collection(store, credits),
    images: collection(store, images),
    scans: collection(store, scans),
    preferences: collection(store, preferencesView),
    userMovies: own,
    resumePoints: collection(store, resumePoints),
    movieChanges: collection(store, movieChanges),
    viewings: collection(store, viewings),
    historyImports: collection(store, historyImports),
    waitingItems: collection(store, waitingItems),
    // Rows and tiles share one collection: fields of rows match only rows, ids of tiles only tiles.
    audit: collection(store, audit as unknown as View<AuditRow>),
    auditTiles: collection(store, audit as unknown as View<AuditTile>),
    async ownOf(userId, movieIds) {
      const found = await own.getMany(movieIds.map((id) => userMovieId(userId, id)))
      return new Map(found.map((document) => [document.movieId, document]))
    },
    async filesOf(movie) {
      const found = await allFiles.getMany(movie.files.map(({ id }) => id))
      return found.toSorted((a, b) => Number(a.missing) - Number(b.missing))
    },
  }
}
