/** Playback on the wire: sessions, heartbeats, the list of what to go on with. */
import { Type, type Static } from 'typebox'
import { Count, Id, Seconds, Time, named, nullable, pageOf, refTo, text } from './values.ts'
import { MovieSummary } from './movie.ts'

const playState = Type.Enum(['playing', 'paused', 'buffering'])
const streamToken = Type.String({ description: 'Opens the streams of this session for four hours, and nothing else.' })

const session = {
  id: Id,
  sessionId: Id,
  userId: Id,
  movieId: Id,
  fileId: Id,
  state: Type.Enum(['active', 'ended']),
  playState,
  position: Seconds,
  duration: Seconds,
  resumePosition: nullable(Seconds),
  masterPlaylistUrl: Type.String({ description: 'Without a query: players that cannot set headers append `?token=`.' }),
  fileUrl: Type.String(),
  trickplayUrl: nullable(Type.String()),
  qualities: Type.Array(
    Type.Object({
      name: Type.String({ examples: ['original', '720p'] }),
      height: Count,
      bitrate: Count,
      method: Type.Enum(['direct', 'remux', 'transcode']),
    }),
  ),
  subtitles: Type.Array(
    Type.Object({
      index: Count,
      language: nullable(Type.String()),
      title: nullable(Type.String()),
      forced: Type.Boolean(),
      default: Type.Boolean(),
      url: Type.String(),
    }),
  ),
  audio: Type.Array(Type.Object({ index: Count, language: nullable(Type.String()), codec: Type.String(), channels: Count })),
  heartbeatIntervalSeconds: Count,
  expiresAt: Type.String({ format: 'date-time', description: 'When the session ends unless a heartbeat comes.' }),
  createdAt: Time,
}

export const Session = named('Session', Type.Object({ ...session, streamToken, streamTokenExpiresAt: Time }))
export type SessionBody = Static<typeof Session>

export const ActiveSession = named(
  'ActiveSession',
  Type.Object({ ...session, user: Type.Object({ id: Id, name: Type.String() }), movie: refTo(MovieSummary) }),
)
export type ActiveSessionBody = Static<typeof ActiveSession>

export const ActiveSessionPage = pageOf(ActiveSession)

const named200 = Type.Optional(nullable(text(200)))

export const NewSessionBody = Type.Object(
  {
    movieId: Id,
    fileId: Type.Optional(Id),
    startPosition: Type.Optional(Seconds),
    quality: Type.Optional(text(20)),
    audioIndex: Type.Optional(Count),
    subtitleIndex: Type.Optional(Count),
    client: Type.Optional(Type.Object({ name: named200, version: named200, device: named200, deviceId: named200 })),
  },
  { examples: [{ movieId: 'V1StGXR8Z5jdHi6B1myTq', startPosition: 0, client: { name: 'Living room', device: 'TV' } }] },
)

export const HeartbeatBody = Type.Object(
  {
    position: Seconds,
    playState: Type.Optional(playState),
    rate: Type.Optional(Type.Number({ minimum: 0, maximum: 16, description: 'How fast it plays; 1 is normal.' })),
    sequence: Type.Optional(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'One that is lower than the last is ignored.' }),
    ),
    lastCommandId: Type.Optional(text(100)),
  },
  { examples: [{ position: 1830.5, playState: 'playing' }] },
)

export const HeartbeatAnswer = named(
  'HeartbeatAnswer',
  Type.Object({
    sessionId: Id,
    state: Type.Enum(['active', 'ended']),
    playState,
    position: Seconds,
    expiresAt: Time,
    streamToken: nullable(Type.String({ description: 'A new one, when the old one has less than an hour left.' })),
    streamTokenExpiresAt: nullable(Time),
    commands: Type.Array(
      Type.Object({
        id: Type.String(),
        command: Type.Enum(['pause', 'stop', 'message', 'reload']),
        message: nullable(Type.String()),
      }),
    ),
  }),
)
export type HeartbeatAnswerBody = Static<typeof HeartbeatAnswer>

export const SeekBody = Type.Object({ position: Seconds }, { examples: [{ position: 40 }] })

export const ContinueItem = named(
  'ContinueItem',
  Type.Object({
    movieId: Id,
    movie: refTo(MovieSummary),
    fileId: Id,
    position: Seconds,
    duration: Seconds,
    percent: Type.Number({ minimum: 0, maximum: 100 }),
    updatedAt: Time,
    device: nullable(Type.String()),
  }),
)
export type ContinueItemBody = Static<typeof ContinueItem>

export const ContinueItemPage = pageOf(ContinueItem)
