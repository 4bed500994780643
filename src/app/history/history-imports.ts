/**
 * Imports history from other programs. Each item is imported once, however often it is sent: its id derives from the user, the program, the
 * film and the time. Absent members change nothing. Items whose film is not here wait for it.
 */
import { derivedId } from '../../events/derived-id.ts'
import type { ImportItem, NoMatch, WaitingItem } from '../../events/history-events.ts'
import { START, later, type Position } from '../../events/position.ts'
import { watchedStream } from '../../events/streams.ts'
import { parseId, type ImportId, type MovieId, type UserId, type ViewingId } from '../../vocabulary/id.ts'
import { foldText } from '../../vocabulary/text.ts'
import { mapConcurrently } from '../../concurrency/semaphore.ts'
import type { HistoryImportDocument } from '../../../projections/views/history-imports.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import { primaryOf } from '../../../projections/views/movie-query-fields.ts'
import type { WaitingItemDocument } from '../../../projections/views/waiting-items.ts'
import type { Viewer } from '../../domain/access/visibility.ts'
import { NO_SUCH_IMPORT, startImport, undoHistoryImport } from '../../domain/history/history-import.ts'
import { undoImport, type ImportableWatch } from '../../domain/movies/imported-watches.ts'
import { watched } from '../../domain/movies/user-movie.ts'
import { inTheFuture, isRefusal, type Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Author, CommandHandler } from '../commands/command-handler.ts'
import { newId } from '../commands/new-id.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { ListPage, PageRequest } from '../read-models/page.ts'
import { findPage, type ReadModels } from '../read-models/read-models.ts'
import { importTarget, storeDropped, storeKept, storeWatches, type ImportOf } from './import-appends.ts'
import { movieOf, type MatchingDependencies } from './import-matching.ts'

export interface ImportPage {
  /** Name of the program that the items come from. */
  readonly source: string
  /** Id of the import, if this is not its first page. */
  readonly importId: string | null
  readonly items: readonly ImportItem[]
  /** Reports the result without importing anything. */
  readonly dryRun: boolean
}

export interface ImportResult {
  /** Null after a dry run. */
  readonly importId: ImportId | null
  readonly imported: number
  /** Items that were imported before or are already waiting. */
  readonly known: number
  /** Indexes of the items that wait for their film. */
  readonly unmatched: readonly { readonly index: number; readonly reason: NoMatch }[]
}

/** The user whose history it is, with the movies that they may see. */
export interface Watcher extends Viewer {
  readonly userId: UserId
}

export interface HistoryImports {
  /** Refusals: `invalid` (`items.<n>.watchedAt` in the future, `source`), `not-found`, `conflict` (the import was undone). */
  take(watcher: Watcher, page: ImportPage, author: Author): Promise<ImportResult | Refusal>
  /** Newest first. */
  list(userId: UserId, page: PageRequest): Promise<ListPage<HistoryImportDocument>>
  /** Items of the import that wait, oldest first. */
  waiting(userId: UserId, id: string, page: PageRequest): Promise<ListPage<WaitingItem> | Refusal>
  /** Undoes everything that the import added, and drops its waiting items; touches nothing else. */
  undo(userId: UserId, id: string, author: Author): Promise<void | Refusal>
  /** Imports those of the items that have a movie now. */
  retry(watcher: Watcher, items: readonly WaitingItemDocument[], author: Author): Promise<void>
  /** Completes an `undo` that was started. */
  finishUndo(userId: UserId, importId: ImportId, author: Author): Promise<void>
}

export interface HistoryImportsDependencies extends MatchingDependencies {
  readonly clock: Clock
  readonly commandHandler: CommandHandler
  readonly readModels: ReadModels
  readonly ids: Ids
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
}

type State = HistoryImportsDependencies

interface Placed {
  readonly index: number
  readonly item: ImportItem
  readonly viewingId: ViewingId
  readonly movie: MovieDocument | NoMatch
}

/** Streams that are appended to concurrently. */
const WIDTH = 8
const AT_ONCE = 500

export function createHistoryImports(state: HistoryImportsDependencies): HistoryImports {
  const { readModels } = state
  return {
    take: (watcher, page, author) => take(state, watcher, page, author),

    list(userId, page) {
      const where = [{ field: 'userId', op: 'eq', value: userId }] as const
      return findPage(readModels.historyImports, { where, sort: { field: 'startedAt', direction: 'desc' } }, page)
    },

    async waiting(userId, id, page) {
      if ((await readModels.historyImports.get(id))?.userId !== userId) return NO_SUCH_IMPORT
      return findPage(readModels.waitingItems, ofImport(id, 'watchedAt'), page)
    },

    async undo(userId, id, author) {
      const importId = parseId<'import'>(id)
      if (!importId || (await readModels.historyImports.get(id))?.userId !== userId) return NO_SUCH_IMPORT
      const result = await state.commandHandler.execute(importTarget(importId), undoHistoryImport({ userId, importId }), author)
      if (isRefusal(result)) return result
      await state.readYourWrites.waitFor(result.position)
      return finishUndo(state, { userId, importId }, author)
    },

    async retry(watcher, items, author) {
      let last = START
      await mapConcurrently(byMovie(await place(state, watcher, items)), WIDTH, async ([movie, those]) => {
        last = later(last, await retryOf(state, { watcher, movie, items }, those, author))
      })
      await state.readYourWrites.waitFor(last)
    },

    finishUndo: (userId, importId, author) => finishUndo(state, { userId, importId }, author),
  }
}

async function take(state: State, watcher: Watcher, page: ImportPage, author: Author): Promise<ImportResult | Refusal> {
  const { source, items, dryRun } = page
  const early = firstInFuture(items, new Date(state.clock.now()).toISOString())
  if (early !== undefined) return inTheFuture(`items.${early}.watchedAt`)
  const placed = await withoutWaiting(state, distinct(await place(state, watcher, items, source)))
  const unmatched = placed.flatMap(({ index, movie }) => (typeof movie === 'string' ? [{ index, reason: movie }] : []))
  if (dryRun) return { importId: null, imported: placed.length - unmatched.length, known: items.length - placed.length, unmatched }

  const importId = page.importId === null ? newId<'import'>('import', state.ids, author.origin) : parseId<'import'>(page.importId)
  if (!importId) return NO_SUCH_IMPORT
  const begun = await state.commandHandler.execute(
    importTarget(importId),
    startImport({ userId: watcher.userId, importId, source }),
    author,
  )
  if (isRefusal(begun)) return begun

  let last = begun.position
  let imported = 0
  await mapConcurrently(byMovie(placed), WIDTH, async ([movie, those]) => {
    const watches = those.map((one) => importedOf({ watcher, source, importId }, { ...one, movie }))
    const done = await storeWatches(state, movie.id, watches, author)
    last = later(last, done.position)
    imported += done.viewingIds.size
  })
  const kept = placed.flatMap(({ item, viewingId, movie }) =>
    typeof movie === 'string' ? [{ ...item, viewingId, source, reason: movie }] : [],
  )
  const done = await storeKept(state, { userId: watcher.userId, importId }, kept, author)
  if (isRefusal(done)) return done
  await state.readYourWrites.waitFor(later(last, done))
  return { importId, imported, known: items.length - imported - unmatched.length, unmatched }
}

function firstInFuture(items: readonly ImportItem[], now: string): number | undefined {
  const index = items.findIndex(({ watchedAt }) => watchedAt > now)
  return index === -1 ? undefined : index
}

/** Assigns an id and a movie to each item. */
async function place(
  state: State,
  watcher: Watcher,
  items: readonly (ImportItem & Partial<WaitingItem>)[],
  source = '',
): Promise<readonly Placed[]> {
  const placed: Placed[] = []
  await mapConcurrently(items.entries(), WIDTH, async ([index, item]) => {
    const viewingId = item.viewingId ?? viewingIdOf(watcher.userId, source, item)
    placed.push({ index, item, viewingId, movie: await movieOf(state, watcher, item) })
  })
  return placed.toSorted((a, b) => a.index - b.index)
}

function viewingIdOf(userId: UserId, source: string, { tmdb, imdb, title, year, watchedAt }: ImportItem): ViewingId {
  const movie = tmdb ?? imdb ?? `${foldText(title ?? '')} ${year ?? ''}`
  return derivedId('viewing', JSON.stringify([userId, source, movie, watchedAt]))
}

const distinct = (placed: readonly Placed[]): readonly Placed[] => [...new Map(placed.map((one) => [one.viewingId, one])).values()]

/** Leaves out items that are already waiting. */
async function withoutWaiting({ readModels }: State, placed: readonly Placed[]): Promise<readonly Placed[]> {
  const ids = placed.flatMap(({ movie, viewingId }) => (typeof movie === 'string' ? [viewingId] : []))
  const waiting = new Set<string>()
  for (let n = 0; n < ids.length; n += AT_ONCE) {
    for (const { id } of await readModels.waitingItems.getMany(ids.slice(n, n + AT_ONCE))) waiting.add(id)
  }
  return placed.filter(({ viewingId }) => !waiting.has(viewingId))
}

function byMovie(placed: readonly Placed[]): ReadonlyMap<MovieDocument, readonly Placed[]> {
  const movies = new Map<MovieId, MovieDocument>()
  const groups = new Map<MovieDocument, Placed[]>()
  for (const one of placed) {
    if (typeof one.movie === 'string') continue
    const movie = movies.get(one.movie.id) ?? one.movie
    movies.set(movie.id, movie)
    groups.set(movie, [...(groups.get(movie) ?? []), one])
  }
  return groups
}

interface Origin {
  readonly watcher: Watcher
  readonly source: string
  readonly importId: ImportId
}

function importedOf(
  { watcher: { userId }, source, importId }: Origin,
  { item, viewingId, movie }: Pick<Placed, 'item' | 'viewingId'> & { readonly movie: MovieDocument },
): ImportableWatch {
  const { watchedAt, plays, tally, watchedMs, positionMs } = item
  const { id: movieId, libraryId, details } = movie
  const file = primaryOf(movie.files)
  const durationMs = file?.durationMs ?? 0
  const left = positionMs === null || !file ? null : { fileId: file.id, positionMs: Math.min(positionMs, durationMs), durationMs }
  const named = { userId, movieId, libraryId, title: details.title, year: details.year }
  return { watch: { ...named, importId, source, viewingId, watchedAt, plays, watchedMs, left }, isTally: tally === true }
}

interface Retry {
  readonly watcher: Watcher
  readonly movie: MovieDocument
  readonly items: readonly WaitingItemDocument[]
}

/** Earliest first. Items that the tally shows as imported meanwhile stop waiting. */
async function retryOf(state: State, { watcher, movie, items }: Retry, placed: readonly Placed[], author: Author): Promise<Position> {
  const watches: ImportableWatch[] = []
  for (const { item, viewingId, index } of placed.toSorted((a, b) => (a.item.watchedAt < b.item.watchedAt ? -1 : 1))) {
    const { source, importId } = items[index] ?? {}
    if (source === undefined || importId === undefined || (await isUndone(state, importId))) continue
    const { watch, isTally } = importedOf({ watcher, source, importId }, { item, viewingId, movie })
    watches.push({ watch: { ...watch, waited: true }, isTally })
  }
  const { position, viewingIds } = await storeWatches(state, movie.id, watches, author)
  let last = position
  const known = watches.flatMap(({ watch }) => (viewingIds.has(watch.viewingId) ? [] : [watch]))
  for (const [importId, those] of Map.groupBy(known, (watch) => watch.importId)) {
    const which = { userId: watcher.userId, importId }
    const ids = those.map(({ viewingId }) => viewingId)
    const dropped = await storeDropped(state, which, ids, author)
    if (!isRefusal(dropped)) last = later(last, dropped)
  }
  return last
}

async function isUndone({ commandHandler }: State, importId: ImportId): Promise<boolean> {
  return (await commandHandler.load(importTarget(importId))).undone
}

const ofImport = (importId: string, field: 'startedAt' | 'watchedAt') =>
  ({ where: [{ field: 'importId', op: 'eq', value: importId }], sort: { field, direction: 'asc' } }) as const

/** Does nothing if everything is undone already. */
async function finishUndo(state: State, which: ImportOf, author: Author): Promise<void> {
  const { commandHandler, readModels, readYourWrites } = state
  const { userId, importId } = which
  const movieIds = new Set<MovieId>()
  for await (const { movieId } of readModels.viewings.walk(ofImport(importId, 'startedAt'))) movieIds.add(movieId)
  let last: Position = START
  await mapConcurrently(movieIds, WIDTH, async (movieId) => {
    const target = { stream: watchedStream(userId, movieId), decider: watched }
    const done = await commandHandler.execute(target, undoImport({ userId, movieId }, importId), author)
    if (!isRefusal(done)) last = later(last, done.position)
  })
  const waiting: ViewingId[] = []
  for await (const { id } of readModels.waitingItems.walk(ofImport(importId, 'watchedAt'))) waiting.push(id)
  const dropped = await storeDropped(state, which, waiting, author)
  if (!isRefusal(dropped)) last = later(last, dropped)
  await readYourWrites.waitFor(last)
}
