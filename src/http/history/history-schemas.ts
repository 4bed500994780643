/** Schemas of the history. */
import { Type, type Static } from 'typebox'
import { RESOLUTIONS } from '../../vocabulary/resolution.ts'
import { AS_OF_QUERY } from '../server/as-of.ts'
import { PAGE_QUERY } from '../server/paging.ts'
import { Id, named, nullable, nullableEnum, pageOf, Seconds, text, Time } from '../server/values-schemas.ts'

const part = nullable(Type.String())
const Client = Type.Object({ name: part, version: part, device: part, deviceId: part })

const SOURCES = ['playback', 'manual', 'import'] as const

export const HistoryEntry = named(
  'HistoryEntry',
  Type.Object({
    id: { ...Id, description: 'Of a playback: the id of its session.' },
    userId: Id,
    movie: Type.Object(
      { id: Id, title: nullable(Type.String()), year: nullable(Type.Integer()) },
      { description: 'Title and year as they were at the time.' },
    ),
    libraryId: nullable(Id),
    startedAt: Time,
    endedAt: nullable({ ...Time, description: 'Null while the playback goes on.' }),
    startPosition: Seconds,
    endPosition: Seconds,
    watchedSeconds: {
      ...Seconds,
      description: `For each heartbeat the film that went by, divided by the rate: at most the time since the last heartbeat, at most
30 seconds, never less than 0.`,
    },
    percent: Type.Number({ minimum: 0, maximum: 100, description: 'How far into the film it ended.' }),
    completed: Type.Boolean(),
    endReason: nullableEnum(['client', 'idle', 'admin', 'signed_out', 'access_revoked', 'library_deleted', 'user_disabled']),
    method: nullableEnum(['direct', 'remux', 'transcode']),
    quality: nullable(Type.String({ description: 'The quality that the player asked for, else the best that it was offered.' })),
    resolution: nullableEnum([...RESOLUTIONS]),
    client: Type.Unsafe<Static<typeof Client> | null>({ anyOf: [Client, { type: 'null' }] }),
    source: Type.Enum([...SOURCES]),
  }),
)
export type HistoryEntryBody = Static<typeof HistoryEntry>
export const HistoryEntryPage = pageOf(HistoryEntry)

export const TraktItem = named(
  'TraktItem',
  Type.Object({
    id: Id,
    watched_at: Time,
    action: Type.Literal('watch'),
    type: Type.Literal('movie'),
    movie: Type.Object({
      title: nullable(Type.String()),
      year: nullable(Type.Integer()),
      ids: Type.Object({ imdb: nullable(Type.String()), tmdb: nullable(Type.Integer()) }),
    }),
  }),
)

export const TimelineStep = named(
  'TimelineStep',
  Type.Object({
    kind: Type.Enum(['play', 'pause', 'seek', 'beat', 'end'], {
      description:
        'What the player did in this stretch. `beat`: it sent a heartbeat, and the film stood still without a pause, as while it loads.',
    }),
    since: { ...Time, description: 'When this stretch began.' },
    at: { ...Time, description: 'When it ended.' },
    from: { ...Seconds, description: 'Position in the film at `since`.' },
    to: { ...Seconds, description: 'Position in the film at `at`.' },
  }),
)

/** Filters for viewings, in lists and counts. */
export const VIEWING_QUERY = {
  userId: Type.Optional({ ...Id, description: 'Viewings of this user. Only administrators may name others than themselves.' }),
  scope: Type.Optional(Type.Enum(['own', 'all'], { default: 'own', description: '`all`: of every user. For administrators.' })),
  movieId: Type.Optional(Id),
  libraryId: Type.Optional(Id),
  from: Type.Optional({ ...Time, description: 'Begun at or after this time.' }),
  to: Type.Optional({ ...Time, description: 'Begun before this time.' }),
  completed: Type.Optional(Type.Boolean({ description: 'Watched to the end.' })),
  client: Type.Optional(text(200, { minLength: 1, description: 'Name of the client.' })),
  source: Type.Optional(Type.Enum([...SOURCES])),
}

export const HistoryQuery = Type.Object({ ...PAGE_QUERY, ...VIEWING_QUERY, ...AS_OF_QUERY })
export const ExportQuery = Type.Object({
  ...VIEWING_QUERY,
  format: Type.Optional(Type.Enum(['json', 'csv', 'trakt'], { default: 'json' })),
})
export const MovieHistoryQuery = Type.Object(PAGE_QUERY)
