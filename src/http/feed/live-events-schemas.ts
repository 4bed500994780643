/**
 * Schemas of live events: the `data` of each kind. OpenAPI 3.1 cannot describe the items of an event stream, so they are components, and
 * `x-event-schemas` maps kinds to them.
 */
import { Type, type TProperties } from 'typebox'
import { Scan } from '../scans/scan-schemas.ts'
import { Id, named, nullable, refTo, Seconds, Time } from '../server/values-schemas.ts'

const live = (name: string, description: string, members: TProperties) =>
  named(
    `${name}Event`,
    Type.Object({ seq: Type.String({ description: 'Position in the log.', examples: ['18231'] }), at: Time, ...members }, { description }),
  )

const watchedAt = nullable(Time)
const position = nullable(Seconds)
const played = { sessionId: Id, userId: { ...Id, description: 'The viewer.' }, movieId: Id, position }

const Hello = live('Hello', 'The stream is open.', {
  serverVersion: Type.String(),
  webBuild: nullable(
    Type.String({ description: 'Build of the web client that is served; null: none is. A page of another build is old.' }),
  ),
})
const Signal = live('Signal', 'An event without data of its own.', {})
const LibraryEvent = live('Library', 'A library has changed.', { libraryId: Id })
const ScanEvent = live('Scan', 'State of a scan, with at most 20 of its errors.', { scan: refTo(Scan) })
const MovieEvent = live('Movie', 'A movie has changed.', { movieId: Id, libraryId: nullable(Id) })
const Watched = live('Watched', 'A watched mark of the caller has changed.', { movieId: Id, watchedAt })
const Resume = live('Resume', 'The resume point of the caller has changed; null: the movie left continue watching, at the same position.', {
  movieId: Id,
  position,
})
const Watchlist = live('Watchlist', 'A movie is now on the watchlist of the caller, or no longer.', {
  movieId: Id,
  watchlist: Type.Boolean(),
})
const Playback = live('Playback', 'A session has started or sought.', played)
const Progress = live('PlaybackProgress', 'The position of a session.', {
  ...played,
  playState: Type.Enum(['playing', 'paused', 'buffering']),
})
const Ended = live('PlaybackEnded', 'A session has ended.', { ...played, endReason: Type.String({ examples: ['client', 'idle'] }) })
const Command = live('PlaybackCommand', 'A command for a player.', {
  sessionId: Id,
  commandId: { ...Id, description: 'As in `commands` of a heartbeat. The player acknowledges it with its next heartbeat.' },
  command: Type.Enum(['pause', 'stop', 'message', 'reload']),
  message: nullable(Type.String()),
})
const UserEvent = live('User', 'An account has changed.', { userId: Id })
const Trickplay = live('Trickplay', 'The thumbnails of a movie are ready.', { movieId: Id })

const HistoryAdded = live('HistoryAdded', 'A viewing has ended, or was marked or imported.', {
  id: { ...Id, description: 'Of the entry in `GET /v1/history`.' },
  movieId: Id,
  source: Type.Enum(['playback', 'manual', 'import']),
})
const FiguresChanged = live(
  'AnalyticsChanged',
  'Figures have changed: those of one user and one hour. Of a playback: at its start and at its end.',
  {
    userId: Id,
    hour: nullable({ ...Time, description: 'Begin of the hour, in UTC; null: of many hours.' }),
  },
)

const Rebuilding = live('ProjectionRebuilding', 'How far the rebuild of a projection is, each second. Without an `id`.', {
  name: Type.String(),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
})
const Rebuilt = live('ProjectionRebuilt', 'The new documents of a projection are read. Without an `id`.', { name: Type.String() })

const BY_KIND = [
  [Hello, ['hello']],
  [Signal, ['reset', 'access.changed', 'preferences.changed', 'server.stopping']],
  [LibraryEvent, ['created', 'updated', 'deleted', 'offline', 'online', 'massMissing'].map((what) => `library.${what}`)],
  [ScanEvent, ['started', 'progress', 'completed', 'failed', 'cancelled'].map((what) => `scan.${what}`)],
  [MovieEvent, ['added', 'updated', 'missing', 'restored', 'removed'].map((what) => `movie.${what}`)],
  [Watched, ['movie.watched', 'movie.unwatched']],
  [Resume, ['resume.changed']],
  [Watchlist, ['watchlist.changed']],
  [Playback, ['playback.started', 'playback.seeked']],
  [Progress, ['playback.progress']],
  [Ended, ['playback.ended']],
  [Command, ['playback.command']],
  [UserEvent, ['created', 'updated', 'deleted'].map((what) => `user.${what}`)],
  [Trickplay, ['trickplay.ready']],
  [HistoryAdded, ['history.added']],
  [FiguresChanged, ['analytics.changed']],
  [Rebuilding, ['projection.rebuilding']],
  [Rebuilt, ['projection.rebuilt']],
] as const

export const LIVE_EVENTS = BY_KIND.map(([schema]) => schema)

/** The whole stream: a text whose events contain any of these. */
export const EventStream = Type.Unsafe<string>({
  ...Type.String({ contentMediaType: 'text/event-stream' }),
  contentSchema: { anyOf: LIVE_EVENTS.map((schema) => refTo(schema)) },
})

/** For the description: kinds of events, each with the component of its data. */
export const EVENT_SCHEMAS: Readonly<Record<string, { readonly $ref: string }>> = Object.fromEntries(
  BY_KIND.flatMap(([{ $id }, kinds]) => kinds.map((kind) => [kind, { $ref: `#/components/schemas/${$id}` }])),
)
