/**
 * Imports history from other programs. Each item is imported once, however often it is sent: its id derives from the user, the program, the
 * film and the time. Absent members change nothing. Items whose film is not here wait for it.
 */
import type { ImportItem, NoMatch, WaitingItem } from '../../events/history-events.ts'
import { START, later, type Position } from '../../events/position.ts'
import { watchedStream } from '../../events/streams.ts'
import { parseId, type ImportId, type MovieId, type UserId, type ViewingId } from '../../vocabulary/id.ts'
import { createFairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { mapConcurrently, QueueFull } from '../../concurrency/semaphore.ts'
import type { HistoryImportDocument } from '../../../projections/views/history-imports.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import type { WaitingItemDocument } from '../../../projections/views/waiting-items.ts'
import { NO_SUCH_IMPORT, startImport, undoHistoryImport } from '../../domain/history/history-import.ts'
import { undoImport, type ImportableWatch } from '../../domain/movies/imported-watches.ts'
import { watched } from '../../domain/movies/user-movie.ts'
import { inTheFuture, isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Author, CommandHandler } from '../commands/command-handler.ts'
import { newId } from '../commands/new-id.ts'
import { createRehearsal } from '../commands/rehearsal.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { ListPage, PageRequest } from '../read-models/page.ts'
import { findPage, type ReadModels } from '../read-models/read-models.ts'
import { importTarget, storeDropped, storeKept, storeWatches, type ImportOf } from './import-appends.ts'
import type { MatchingDependencies } from './import-matching.ts'
import { byMovie, distinct, importedOf, place, withoutWaiting, type Origin, type Placed, type Watcher } from './placed-items.ts'

export interface ImportPage {
  /** Name of the program that the items come from. */
  readonly source: string
  /** Id of the import, if this is not its first page. */
  readonly importId: string | null
  readonly items: readonly ImportItem[]
  /** Reports the result of the import without importing anything. */
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

export interface HistoryImports {
  /**
   * Refusals: `invalid` (`items.<n>.watchedAt` in the future, `source`), `not-found`, `conflict` (the import was undone, or too many items
   * would wait), `unavailable` (too many imports wait for their turn). If it fails in the middle, a repetition completes it.
   */
  take(watcher: Watcher, page: ImportPage, author: Author): Promise<ImportResult | Refusal>
  /** Newest first. */
  list(userId: UserId, page: PageRequest): Promise<ListPage<HistoryImportDocument>>
  /** Items of the import that wait, oldest first. */
  waiting(userId: UserId, id: string, page: PageRequest): Promise<ListPage<WaitingItem> | Refusal>
  /** Undoes everything that the import added, and drops its waiting items; touches nothing else. Refusals: `not-found`, `unavailable`. */
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

/** Streams that are appended to concurrently. */
const WIDTH = 8
/** Most items of one user that wait for their movies. */
const WAITING_MAX = 50_000
/** Pages and undos: one of a user at a time, so that each sees what the one before has stored. `waitingEach`: of one user. */
const QUEUE = { width: 4, widthEach: 1, waitingMax: 64, waitingEach: 4 }
const PATIENCE_MS = 30_000

const BUSY = refuse('unavailable', 'Too many imports at once: try again', { retryAfterSeconds: 5 })
const TOO_MANY_WAIT = refuse(
  'conflict',
  `More than ${WAITING_MAX} of your items would wait for their movies: undo imports that you no longer need, then send this page again`,
)

export function createHistoryImports(state: HistoryImportsDependencies): HistoryImports {
  const { readModels, clock } = state
  const semaphore = createFairSemaphore({ ...QUEUE, patience: { clock, ms: PATIENCE_MS } })

  async function inTurn<Result>(userId: UserId, work: () => Promise<Result | Refusal>): Promise<Result | Refusal> {
    try {
      return await semaphore(userId, work)
    } catch (cause) {
      if (cause instanceof QueueFull) return BUSY
      throw cause
    }
  }

  return {
    take: (watcher, page, author) =>
      inTurn(watcher.userId, async () => {
        if (!page.dryRun) return take(state, watcher, page, author)
        const result = await take({ ...state, commandHandler: createRehearsal(state) }, watcher, page, author)
        return isRefusal(result) ? result : { ...result, importId: null }
      }),

    list(userId, page) {
      const where = [{ field: 'userId', op: 'eq', value: userId }] as const
      return findPage(readModels.historyImports, { where, sort: { field: 'startedAt', direction: 'desc' } }, page)
    },

    async waiting(userId, id, page) {
      if ((await readModels.historyImports.get(id))?.userId !== userId) return NO_SUCH_IMPORT
      return findPage(readModels.waitingItems, ofImport(id, 'watchedAt'), page)
    },

    undo: (userId, id, author) => inTurn(userId, () => undo(state, { userId, id }, author)),

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
  const { source, items } = page
  const { userId } = watcher
  const early = firstInFuture(items, new Date(state.clock.now()).toISOString())
  if (early !== undefined) return inTheFuture(`items.${early}.watchedAt`)
  const placed = await withoutWaiting(state.readModels, distinct(await place(state, watcher, items, source)))
  const unmatched = placed.flatMap(({ index, movie }) => (typeof movie === 'string' ? [{ index, reason: movie }] : []))
  if (unmatched.length > 0 && unmatched.length > WAITING_MAX - (await countWaiting(state, userId))) return TOO_MANY_WAIT

  const importId = page.importId === null ? newId<'import'>('import', state.ids, author.origin) : parseId<'import'>(page.importId)
  if (!importId) return NO_SUCH_IMPORT
  const origin = { userId, importId, source }
  const begun = await state.commandHandler.execute(importTarget(importId), startImport(origin), author)
  if (isRefusal(begun)) return begun
  const stored = await store(state, origin, placed, author)
  if (isRefusal(stored)) return stored
  await state.readYourWrites.waitFor(later(begun.position, stored.last))
  return { importId, imported: stored.imported, known: items.length - stored.imported - unmatched.length, unmatched }
}

/** Imports the items that have a movie, and lets the others wait. */
async function store(
  state: State,
  { source, ...of }: Origin,
  placed: readonly Placed[],
  author: Author,
): Promise<{ readonly last: Position; readonly imported: number } | Refusal> {
  let last: Position = START
  let imported = 0
  await mapConcurrently(byMovie(placed), WIDTH, async ([movie, those]) => {
    const watches = those.map((one) => importedOf({ ...of, source }, { ...one, movie }))
    const done = await storeWatches(state, movie.id, watches, author)
    last = later(last, done.position)
    imported += done.viewingIds.size
  })
  const kept = placed.flatMap(({ item, viewingId, movie }) =>
    typeof movie === 'string' ? [{ ...item, viewingId, source, reason: movie }] : [],
  )
  const done = await storeKept(state, of, kept, author)
  return isRefusal(done) ? done : { last: later(last, done), imported }
}

const countWaiting = ({ readModels }: State, userId: UserId): Promise<number> =>
  readModels.waitingItems.count([{ field: 'userId', op: 'eq', value: userId }])

function firstInFuture(items: readonly ImportItem[], now: string): number | undefined {
  const index = items.findIndex(({ watchedAt }) => watchedAt > now)
  return index === -1 ? undefined : index
}

interface Retry {
  readonly watcher: Watcher
  readonly movie: MovieDocument
  readonly items: readonly WaitingItemDocument[]
}

/** Earliest first. Items that the tally shows as imported meanwhile stop waiting. */
async function retryOf(state: State, { watcher, movie, items }: Retry, placed: readonly Placed[], author: Author): Promise<Position> {
  const { userId } = watcher
  const undone = await undoneAmong(state, new Set(placed.flatMap(({ index }) => items[index]?.importId ?? [])))
  const watches: ImportableWatch[] = []
  for (const { item, viewingId, index } of placed.toSorted((a, b) => (a.item.watchedAt < b.item.watchedAt ? -1 : 1))) {
    const { source, importId } = items[index] ?? {}
    if (source === undefined || importId === undefined || undone.has(importId)) continue
    const { watch, isTally } = importedOf({ userId, source, importId }, { item, viewingId, movie })
    watches.push({ watch: { ...watch, waited: true }, isTally })
  }
  const { position, viewingIds } = await storeWatches(state, movie.id, watches, author)
  let last = position
  const known = watches.flatMap(({ watch }) => (viewingIds.has(watch.viewingId) ? [] : [watch]))
  for (const [importId, those] of Map.groupBy(known, (watch) => watch.importId)) {
    const which = { userId, importId }
    const ids = those.map(({ viewingId }) => viewingId)
    const dropped = await storeDropped(state, which, ids, author)
    if (!isRefusal(dropped)) last = later(last, dropped)
  }
  return last
}

async function undoneAmong({ commandHandler }: State, importIds: Iterable<ImportId>): Promise<ReadonlySet<ImportId>> {
  const undone = new Set<ImportId>()
  for (const importId of importIds) if ((await commandHandler.load(importTarget(importId))).undone) undone.add(importId)
  return undone
}

const ofImport = (importId: string, field: 'startedAt' | 'watchedAt') =>
  ({ where: [{ field: 'importId', op: 'eq', value: importId }], sort: { field, direction: 'asc' } }) as const

async function undo(
  state: State,
  { userId, id }: { readonly userId: UserId; readonly id: string },
  author: Author,
): Promise<void | Refusal> {
  const importId = parseId<'import'>(id)
  if (!importId || (await state.readModels.historyImports.get(id))?.userId !== userId) return NO_SUCH_IMPORT
  const result = await state.commandHandler.execute(importTarget(importId), undoHistoryImport({ userId, importId }), author)
  if (isRefusal(result)) return result
  await state.readYourWrites.waitFor(result.position)
  return finishUndo(state, { userId, importId }, author)
}

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
