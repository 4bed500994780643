/**
 * History: viewings as people read them. Users read their own, administrators everybody's, and that they did is recorded. Viewings of
 * libraries that the caller does not see (any more) are left out, hidden ones for everybody.
 */
import { decodeKnown } from '../../events/codec.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import { playbackStream, userStream } from '../../events/streams.ts'
import { parseId, type SessionId } from '../../vocabulary/id.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import type { ViewingDocument } from '../../../projections/views/viewings.ts'
import { user } from '../../domain/accounts/user.ts'
import { timelineOf, type TimelineEntry } from '../../domain/history/timeline.ts'
import { NO_SUCH_MOVIE } from '../../domain/movies/refusals.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { Access } from '../access/access.ts'
import type { Caller, RequestOrigin } from '../access/caller.ts'
import type { AccessRecords } from '../audit/access-records.ts'
import { byUser, type CommandHandler } from '../commands/command-handler.ts'
import type { Sealer } from '../commands/sealer.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { ListPage, PagePoint, PageRequest } from '../read-models/page.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { visibleMovieId } from '../movies/movies.ts'
import { closedIfIdle } from './idle-viewings.ts'
import { seesViewing, viewingFilters, type HistoryFilter } from './viewing-filters.ts'

export interface HistoryEntry extends Omit<ViewingDocument, 'client'> {
  /** JSON of the client as it named itself; null: it did not, or its user was erased. */
  readonly client: string | null
}

/** Who asks, and by which operation: for the audit. */
export interface Asking {
  readonly caller: Caller
  readonly operation: string
  readonly origin: RequestOrigin
}

/** An entry with what providers call the movie now. */
export interface ExportedEntry extends HistoryEntry {
  readonly externalIds: MovieDocument['details']['externalIds']
}

export interface History {
  /** Newest first. `past`: as it was at some time, for the viewings that the filter is about. */
  list(asking: Asking, filter: HistoryFilter, page: PageRequest, past?: ReadModels): Promise<ListPage<HistoryEntry>>
  /** All of them, newest first, each page read when it is asked for. */
  pages(asking: Asking, filter: HistoryFilter): Promise<AsyncIterable<readonly ExportedEntry[]>>
  /** Viewings of one movie: the caller's own, for administrators those of everybody. */
  ofMovie(asking: Asking, id: string, page: PageRequest): Promise<ListPage<HistoryEntry> | Refusal>
  /** The steps of a playback session; of other viewings there are none. */
  timeline(asking: Asking, id: string): Promise<readonly TimelineEntry[] | Refusal>
  /** Takes one of the caller's own viewings out of the history and of what is counted. */
  hide(caller: Caller, id: string, origin: RequestOrigin): Promise<void | Refusal>
}

export interface HistoryDependencies {
  readonly access: Access
  readonly accessRecords: Pick<AccessRecords, 'viewed'>
  readonly commandHandler: CommandHandler
  readonly documents: ReadModels
  readonly log: Pick<EventLog, 'read'>
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
  readonly sealer: Pick<Sealer, 'digest' | 'open'>
}

const NO_SUCH_VIEWING = refuse('not-found', 'There is no such entry in the history')
const EXPORT_PAGE = 500
const NO_IDS = { tmdb: null, imdb: null }
/** Of a session that a player kept alive for days the first ones. */
const EVENTS_MAX = 20_000

export function createHistory(deps: HistoryDependencies): History {
  const { accessRecords, commandHandler, documents, log, readYourWrites } = deps

  /** A viewing that the caller may read. */
  async function readable(caller: Caller, id: string): Promise<ViewingDocument | undefined> {
    const viewing = await documents.viewings.get(id)
    if (!viewing || viewing.hidden || !seesViewing(caller, viewing)) return undefined
    return viewing.userId === caller.userId || caller.role === 'admin' ? viewing : undefined
  }

  async function list({ caller, operation, origin }: Asking, filter: HistoryFilter, page: PageRequest, past?: ReadModels) {
    await accessRecords.viewed(caller, { userId: filter.userId ?? null, operation }, origin)
    return read(caller, filter, page, past)
  }

  async function read(caller: Caller, filter: HistoryFilter, { after, limit }: PageRequest, past: ReadModels = documents) {
    const where = await viewingFilters(deps, caller, filter)
    const sort = { field: 'startedAt', direction: 'desc' } as const
    const { items, next } = await past.viewings.find({ where, sort, limit, ...(after ? { after } : {}) })
    return { items: await opened({ ...deps, documents: past }, items), next }
  }

  async function* pages(caller: Caller, filter: HistoryFilter): AsyncGenerator<readonly ExportedEntry[]> {
    for (let after: PagePoint | null | undefined; after !== null;) {
      const page: ListPage<HistoryEntry> = await read(caller, filter, { limit: EXPORT_PAGE, ...(after ? { after } : {}) })
      yield await identified(documents, page.items)
      after = page.next
    }
  }

  return {
    list,

    async pages({ caller, operation, origin }, filter) {
      await accessRecords.viewed(caller, { userId: filter.userId ?? null, operation }, origin)
      return pages(caller, filter)
    },

    async ofMovie(asking, id, page) {
      const { caller } = asking
      const movieId = await visibleMovieId(deps, caller, id)
      if (!movieId) return NO_SUCH_MOVIE
      return list(asking, { movieId, ...(caller.role === 'admin' ? {} : { userId: caller.userId }) }, page)
    },

    async timeline({ caller, operation, origin }, id) {
      const viewing = await readable(caller, id)
      if (!viewing) return NO_SUCH_VIEWING
      await accessRecords.viewed(caller, { userId: viewing.userId, operation }, origin)
      const sessionId = viewing.source === 'playback' ? parseId<'session'>(id) : undefined
      return sessionId ? timelineOf(await eventsOf(log, sessionId)) : []
    },

    async hide(caller, id, origin) {
      const viewing = await readable(caller, id)
      if (viewing?.userId !== caller.userId) return NO_SUCH_VIEWING
      const { userId } = caller
      const decide = () => [{ type: 'HistoryHidden', data: { userId, viewingId: viewing.id } } as const]
      const target = { stream: userStream(userId), decider: user }
      const result = await commandHandler.execute(target, decide, byUser(userId, 'hideViewing', origin))
      return isRefusal(result) ? result : readYourWrites.waitFor(result.position)
    },
  }
}

async function identified({ movies }: ReadModels, entries: readonly HistoryEntry[]): Promise<readonly ExportedEntry[]> {
  const found = await movies.getMany([...new Set(entries.map(({ movieId }) => movieId))])
  const ids = new Map(found.map(({ id, details }) => [id, details.externalIds]))
  return entries.map((entry) => ({ ...entry, externalIds: ids.get(entry.movieId) ?? NO_IDS }))
}

async function eventsOf(log: Pick<EventLog, 'read'>, id: SessionId): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = []
  for await (const stored of log.read(playbackStream(id))) {
    const event = decodeKnown(stored)
    if (event) events.push(event)
    if (events.length >= EVENTS_MAX) break
  }
  return events
}

/** With the client opened, and what has ended without anybody having noticed ended. */
async function opened({ access, documents, sealer }: HistoryDependencies, viewings: readonly ViewingDocument[]) {
  const untitled = viewings.filter(({ title }) => title === null).map(({ movieId }) => movieId)
  const movies = new Map((await documents.movies.getMany([...new Set(untitled)])).map((movie) => [movie.id, movie]))
  return Promise.all(
    viewings.map(async (viewing): Promise<HistoryEntry> => {
      const { title, year } = viewing.title === null ? (movies.get(viewing.movieId)?.card ?? viewing) : viewing
      const client = viewing.client && ((await sealer.open(viewing.client)) ?? null)
      return { ...closedIfIdle(access, viewing), title, year, client }
    }),
  )
}
