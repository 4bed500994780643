/**
 * Reads the history of viewings. Users read their own; administrators read everybody's, which is recorded. Viewings in libraries that the
 * caller may not see (any more) are left out, hidden ones for everybody.
 */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
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
import { actsAsAdmin, type Caller, type RequestOrigin } from '../access/caller.ts'
import type { AccessRecords } from '../audit/access-records.ts'
import { byUser, type CommandHandler } from '../commands/command-handler.ts'
import type { Sealer } from '../commands/sealer.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { ReadModelsAsOf } from '../read-models/as-of.ts'
import type { ListPage, PagePoint, PageRequest } from '../read-models/page.ts'
import { findPage, type ReadModels } from '../read-models/read-models.ts'
import { visibleMovieId } from '../movies/movies.ts'
import { closedIfIdle, idleAsOf, type IsIdle } from './idle-viewings.ts'
import { seesViewing, viewingFilters, type HistoryFilter } from './viewing-filters.ts'

export interface HistoryEntry extends Omit<ViewingDocument, 'client'> {
  /** JSON of the client as it named itself; null if it did not, or if its user was erased. */
  readonly client: string | null
}

/** The caller and the operation, for the audit log. */
export interface Asking {
  readonly caller: Caller
  readonly operation: string
  readonly origin: RequestOrigin
}

/** An entry with the movie's current provider ids. */
export interface ExportedEntry extends HistoryEntry {
  readonly externalIds: MovieDocument['details']['externalIds']
}

export interface History {
  /** Newest first. `past`: as of an earlier time, for the viewings that match the filter. */
  list(asking: Asking, filter: HistoryFilter, page: PageRequest, past?: ReadModelsAsOf): Promise<ListPage<HistoryEntry>>
  /** All of them, newest first. Each page is read on demand. */
  pages(asking: Asking, filter: HistoryFilter): Promise<AsyncIterable<readonly ExportedEntry[]>>
  /** Viewings of one movie: the caller's own or, for administrators, those of everybody. */
  ofMovie(asking: Asking, id: string, page: PageRequest): Promise<ListPage<HistoryEntry> | Refusal>
  /** The steps of a playback session; other viewings have none. */
  timeline(asking: Asking, id: string): Promise<readonly TimelineEntry[] | Refusal>
  /** Removes one of the caller's own viewings from the history and from all counts. */
  hide(caller: Caller, id: string, origin: RequestOrigin): Promise<void | Refusal>
}

export interface HistoryDependencies {
  readonly access: Access
  readonly accessRecords: Pick<AccessRecords, 'viewed'>
  readonly commandHandler: CommandHandler
  readonly readModels: ReadModels
  readonly log: Pick<EventLog, 'read'>
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
  readonly sealer: Pick<Sealer, 'digest' | 'open'>
}

const NO_SUCH_VIEWING = refuse('not-found', 'There is no such entry in the history')
const EXPORT_PAGE = 500
const NO_IDS = { tmdb: null, imdb: null }
/** A session that a player kept alive for days is cut after this many events. */
const EVENTS_MAX = 20_000

export function createHistory(deps: HistoryDependencies): History {
  const { access, accessRecords, commandHandler, readModels, log, readYourWrites, sealer } = deps

  /** The viewing, if the caller may read it. */
  async function readable(caller: Caller, id: string): Promise<ViewingDocument | undefined> {
    const viewing = await readModels.viewings.get(id)
    if (!viewing || viewing.hidden || !seesViewing(caller, viewing)) return undefined
    return viewing.userId === caller.userId || actsAsAdmin(caller) ? viewing : undefined
  }

  async function list({ caller, operation, origin }: Asking, filter: HistoryFilter, page: PageRequest, past?: ReadModelsAsOf) {
    await accessRecords.viewed(caller, { userId: filter.userId ?? null, operation }, origin)
    return read(caller, filter, page, past)
  }

  async function read(caller: Caller, filter: HistoryFilter, page: PageRequest, past?: ReadModelsAsOf) {
    const where = await viewingFilters(deps, caller, filter)
    const found = await findPage(
      (past?.readModels ?? readModels).viewings,
      { where, sort: { field: 'startedAt', direction: 'desc' } },
      page,
    )
    const then = past ? { readModels: past.readModels, isIdle: idleAsOf(past.atMs) } : { readModels, isIdle: access.idle.isIdle }
    return { ...found, items: await opened({ ...then, sealer }, found.items) }
  }

  async function* pages(caller: Caller, filter: HistoryFilter): AsyncGenerator<readonly ExportedEntry[]> {
    for (let after: PagePoint | null | undefined; after !== null;) {
      const page: ListPage<HistoryEntry> = await read(caller, filter, { limit: EXPORT_PAGE, ...omitUndefined({ after }) })
      yield await identified(readModels, page.items)
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
      return list(asking, { movieId, ...(actsAsAdmin(caller) ? {} : { userId: caller.userId }) }, page)
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

interface Opening extends Pick<HistoryDependencies, 'readModels' | 'sealer'> {
  readonly isIdle: IsIdle
}

/** Decrypts the client, and marks a viewing as ended if its player fell silent. */
async function opened({ readModels, isIdle, sealer }: Opening, viewings: readonly ViewingDocument[]) {
  const untitled = viewings.filter(({ title }) => title === null).map(({ movieId }) => movieId)
  const movies = new Map((await readModels.movies.getMany([...new Set(untitled)])).map((movie) => [movie.id, movie]))
  return Promise.all(
    viewings.map(async (viewing): Promise<HistoryEntry> => {
      const { title, year } = viewing.title === null ? (movies.get(viewing.movieId)?.card ?? viewing) : viewing
      const client = viewing.client && ((await sealer.open(viewing.client)) ?? null)
      return { ...closedIfIdle(isIdle, viewing), title, year, client }
    }),
  )
}
