/**
 * View `viewings`: one document per viewing. A playback session is a viewing from its start on and is closed once. A movie that was marked
 * as watched by hand is one too. Hidden viewings stay, even if their import is undone: the log still contains them, and they stay hidden at
 * every earlier time.
 */
import { derivedId } from '../../src/events/derived-id.ts'
import type { EventType } from '../../src/events/catalogue.ts'
import type { Position } from '../../src/events/position.ts'
import type { RecordedEvent } from '../../src/events/recorded.ts'
import type { EndReason, PlayMethod } from '../../src/events/playback-events.ts'
import type { Sealed } from '../../src/events/sealed.ts'
import type { FileId, ImportId, LibraryId, MovieId, SessionId, UserId, ViewingId } from '../../src/vocabulary/id.ts'
import type { Resolution } from '../../src/vocabulary/resolution.ts'
import { operations, type Operation, type View } from './view.ts'

export interface ViewingDocument {
  /** For a playback session, the id of the session. */
  readonly id: SessionId | ViewingId
  readonly source: ViewingSource
  /** The import that created it. */
  readonly importId: ImportId | null
  readonly userId: UserId
  readonly movieId: MovieId
  /** Library and title at its start; null for events of the first releases. */
  readonly libraryId: LibraryId | null
  readonly title: string | null
  readonly year: number | null
  readonly fileId: FileId | null
  readonly startedAt: string
  /** `startedAt` in whole minutes since 1970 (UTC). */
  readonly startedMinute: number
  /** Null while the session is active. */
  readonly endedAt: string | null
  readonly endReason: EndReason | 'idle' | null
  /** Time of the last heartbeat; the start counts as one. */
  readonly beatAt: string
  /** Idle timeout of the session; null: it has no heartbeats. */
  readonly idleSeconds: number | null
  readonly startPositionMs: number
  readonly positionMs: number
  readonly durationMs: number
  /** End position in the film, in whole percent (0 to 100); null if the duration is unknown. */
  readonly endPercent: number | null
  readonly watchedMs: number
  readonly completed: boolean
  readonly method: PlayMethod | null
  readonly quality: string | null
  readonly resolution: Resolution | null
  readonly client: Sealed | null
  readonly clientKey: string | null
  readonly hidden: boolean
  /** Whether it has ended. After that, only the user's own actions change it. */
  readonly over: boolean
  /** Position of the event that ended it; null while it is in progress. */
  readonly overSince: Position | null
}

export type ViewingSource = 'playback' | 'manual' | 'import'

/** Id of the document that counts the changes of finished viewings, so that results over them can be cached. It sorts after all viewings. */
export const SETTLED = '~settled'
export interface SettledDocument {
  readonly id: typeof SETTLED
  /** Number of changes, each an event. */
  readonly changes: number
  /** Position of the last of these events. */
  readonly at: Position
  /** The last changes, newest last: the viewing that may have finished; null if one was hidden or removed. */
  readonly recent: readonly (string | null)[]
}

/** Two kilobytes; some days of a household. */
const RECENT_MAX = 64

/** Most that one heartbeat adds: after a longer gap nobody knows whether somebody watched. */
const BEAT_MAX_MS = 30_000
const MINUTE_MS = 60_000

const { put, change } = operations<ViewingDocument>()

export const viewings: View<ViewingDocument> = {
  name: 'viewings',
  version: 5,
  fields: {
    hidden: 'boolean',
    userId: 'text',
    movieId: 'text',
    libraryId: 'text',
    source: 'text',
    importId: 'text',
    startedAt: 'text',
    startedMinute: 'number',
    endedAt: 'text',
    completed: 'boolean',
    method: 'text',
    resolution: 'text',
    clientKey: 'text',
    endPercent: 'number',
    over: 'boolean',
    overSince: 'text',
    watchedMs: 'number',
  },
  indexes: [
    ['hidden', 'startedAt'],
    ['hidden', 'userId', 'startedAt'],
    ['hidden', 'movieId', 'startedAt'],
    ['hidden', 'userId', 'movieId', 'startedAt'],
    ['hidden', 'libraryId', 'startedAt'],
    ['hidden', 'clientKey', 'startedAt'],
    ['hidden', 'endedAt'],
    ['importId', 'startedAt'],
  ],
  // Most viewings were not imported.
  sparse: ['importId'],
  handles: {
    PlaybackStarted: (event) => put(event.data.sessionId, begun(event)),
    PlaybackHeartbeat: ({ data, at }) =>
      change(data.sessionId, (viewing) => ({
        ...viewing,
        watchedMs: viewing.watchedMs + watchedBy(viewing, { ...data, at }),
        ...endingAt(data.positionMs, viewing),
        beatAt: at,
      })),
    PlaybackSeeked: ({ data }) => change(data.sessionId, (viewing) => ({ ...viewing, ...endingAt(data.positionMs, viewing) })),
    PlaybackEnded: settling(({ data, at, position }) =>
      change(data.sessionId, (one) => closed(one, { endedAt: at, endReason: data.reason }, position)),
    ),
    PlaybackExpired: settling(({ data, position }) =>
      change(data.sessionId, (one) => closed(one, { endedAt: data.expiredAt, endReason: 'idle' }, position)),
    ),
    MovieCompleted: settling(({ data }) => change(data.sessionId, (viewing) => ({ ...viewing, completed: true }))),
    MovieMarkedWatched: settling((event) => {
      if (event.data.again) return []
      const viewing = marked(event)
      return put(viewing.id, viewing)
    }),
    WatchImported: settling((event) => [
      { id: event.data.viewingId, fold: (known) => ({ ...importedViewing(event), ...(known && again(known)) }) },
    ]),
    WatchImportUndone: unsettling(({ data }) =>
      data.viewingIds.flatMap((id) => change(id, (viewing) => (viewing.hidden ? viewing : null))),
    ),
    HistoryHidden: unsettling(({ data }) => change(data.viewingId, (viewing) => ({ ...viewing, hidden: true }))),
  },
}

type Handler<Type extends EventType> = (event: RecordedEvent<Type>) => readonly Operation<ViewingDocument>[]

/** Wraps the handler of an event that ends a viewing, or changes an ended one. */
function settling<Type extends EventType>(handler: Handler<Type>): Handler<Type> {
  return (event) => {
    const operations = handler(event)
    return [...operations, ...operations.map(({ id }) => noted(id, event))]
  }
}

/** Wraps the handler of an event that hides or removes viewings. */
function unsettling<Type extends EventType>(handler: Handler<Type>): Handler<Type> {
  return (event) => {
    const operations = handler(event)
    return operations.length === 0 ? [] : [...operations, noted(null, event)]
  }
}

function noted(what: string | null, { position }: Pick<RecordedEvent, 'position'>): Operation<ViewingDocument> {
  const fold = ({ changes = 0, recent = [] }: Partial<SettledDocument> = {}): SettledDocument => ({
    id: SETTLED,
    changes: changes + 1,
    at: position,
    recent: [...recent, what].slice(-RECENT_MAX),
  })
  return { id: SETTLED, fold } as unknown as Operation<ViewingDocument>
}

const minuteOf = (time: string): number => Math.floor(Date.parse(time) / MINUTE_MS)

function begun({ data, at }: RecordedEvent<'PlaybackStarted'>): ViewingDocument {
  const { sessionId: id, userId, movieId, libraryId, fileId, durationMs, client, method, idleSeconds } = data
  const { title = null, year = null, quality = null, resolution = null, clientKey = null } = data
  return {
    id,
    source: 'playback',
    importId: null,
    userId,
    movieId,
    libraryId,
    title,
    year,
    fileId,
    startedAt: at,
    startedMinute: minuteOf(at),
    endedAt: null,
    endReason: null,
    beatAt: at,
    idleSeconds,
    startPositionMs: data.positionMs,
    durationMs,
    ...endingAt(data.positionMs, { durationMs }),
    watchedMs: 0,
    completed: false,
    method,
    quality,
    resolution,
    client,
    clientKey,
    hidden: false,
    over: false,
    overSince: null,
  }
}

function marked({ data, id, position }: RecordedEvent<'MovieMarkedWatched'>): ViewingDocument {
  const { userId, movieId, libraryId = null, title = null, year = null, watchedAt } = data
  const viewing = { ...markedViewing(watchedAt), id: derivedId('viewing', id), source: 'manual' } as const
  return { ...viewing, userId, movieId, libraryId, title, year, overSince: position }
}

function importedViewing({ data, position: overSince }: RecordedEvent<'WatchImported'>): ViewingDocument {
  const { viewingId: id, importId, userId, movieId, libraryId, title, year, watchedAt, watchedMs, left } = data
  const viewing: ViewingDocument = {
    ...markedViewing(watchedAt),
    id,
    source: 'import',
    importId,
    userId,
    movieId,
    libraryId,
    title,
    year,
    watchedMs,
    overSince,
  }
  if (left === null) return viewing
  const { fileId, positionMs, durationMs } = left
  return { ...viewing, completed: false, fileId, durationMs, ...endingAt(positionMs, { durationMs }) }
}

/** Members that an item which is imported again keeps. */
const again = ({ overSince, hidden }: ViewingDocument) => ({ overSince, hidden })

/** A viewing reported after the fact: its time may be long before the event's. */
const markedViewing = (watchedAt: string) =>
  ({
    importId: null,
    fileId: null,
    startedAt: watchedAt,
    startedMinute: minuteOf(watchedAt),
    endedAt: watchedAt,
    endReason: null,
    beatAt: watchedAt,
    idleSeconds: null,
    startPositionMs: 0,
    positionMs: 0,
    durationMs: 0,
    endPercent: null,
    watchedMs: 0,
    completed: true,
    method: null,
    quality: null,
    resolution: null,
    client: null,
    clientKey: null,
    hidden: false,
    over: true,
  }) as const

const endingAt = (positionMs: number, { durationMs }: Pick<ViewingDocument, 'durationMs'>) => ({
  positionMs,
  endPercent: durationMs > 0 ? Math.min(100, Math.floor((positionMs * 100) / durationMs)) : null,
})

interface Heartbeat {
  readonly positionMs: number
  readonly rate: number
  readonly at: string
}

/** Film time played at the reported rate, limited by the elapsed time and by 30 s. A jump backwards adds nothing. */
function watchedBy({ positionMs, beatAt }: ViewingDocument, beat: Heartbeat): number {
  if (beat.rate <= 0) return 0
  const playedMs = (beat.positionMs - positionMs) / beat.rate
  const passedMs = Date.parse(beat.at) - Date.parse(beatAt)
  return Math.max(0, Math.floor(Math.min(playedMs, passedMs, BEAT_MAX_MS)))
}

/** The first end counts: two nodes may both close a session. */
const closed = (viewing: ViewingDocument, { endedAt, endReason }: End, overSince: Position): ViewingDocument =>
  viewing.endedAt === null ? { ...viewing, endedAt: endOf(viewing, endedAt), endReason, over: true, overSince } : viewing

interface End {
  readonly endedAt: string
  readonly endReason: EndReason | 'idle'
}

/** If the clock was set back, the end would precede the start. A viewing lasts at least as long as its watched time. */
export function endOf({ startedAt, watchedMs }: Pick<ViewingDocument, 'startedAt' | 'watchedMs'>, reportedEnd: string): string {
  const earliestMs = Date.parse(startedAt) + watchedMs
  return Date.parse(reportedEnd) < earliestMs ? new Date(earliestMs).toISOString() : reportedEnd
}
