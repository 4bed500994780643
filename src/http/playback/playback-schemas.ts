/** Schemas of playback: sessions, heartbeats, the continue-watching list. */
import { Type, type Static } from 'typebox'
import { Count, Id, Seconds, Time, named, nullable, pageOf, refTo, text } from '../server/values-schemas.ts'
import { BURNABLE_KINDS } from '../../domain/streaming/burn-in.ts'
import { HDR_KINDS } from '../../vocabulary/client-capabilities.ts'
import { MAX_GAIN_DB } from '../../domain/streaming/audio-gain.ts'
import { MovieSummary } from '../movies/movie-schemas.ts'

const playState = Type.Enum(['playing', 'paused', 'buffering'])
const streamToken = Type.String({ description: 'Opens the streams of this session, and nothing else, for four hours.' })

const problem = nullable(Type.String({ description: 'Why the stream has stopped, for a person; null if it has not.' }))

const method = Type.Enum(['direct', 'remux', 'transcode-audio', 'transcode'])
const reasons = Type.Array(Type.String({ examples: ['video-codec', 'audio-channels', 'client-height'] }))

export const PlayDecision = named(
  'PlayDecision',
  Type.Object(
    {
      method,
      reasons,
      rejected: Type.Array(Type.Object({ method, reasons }), {
        description: 'Cheaper methods that are not possible, cheapest first, with the reasons.',
      }),
    },
    {
      description:
        'The cheapest method that the player supports: the file itself; video and audio copied into segments; video copied and audio ' +
        'transcoded; both transcoded.',
    },
  ),
)

const subtitle = {
  index: Count,
  language: nullable(Type.String()),
  title: nullable(Type.String()),
  forced: Type.Boolean(),
  default: Type.Boolean(),
}

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
  masterPlaylistUrl: Type.String({ description: 'Has no query. Players that cannot set headers append `?token=`.' }),
  fileUrl: Type.String(),
  trickplayUrl: nullable(Type.String()),
  decision: refTo(PlayDecision),
  qualities: Type.Array(
    Type.Object({
      name: Type.String({ examples: ['original', '720p'] }),
      height: Count,
      bitrate: Count,
      method: Type.Enum(['direct', 'remux', 'transcode']),
    }),
  ),
  subtitles: Type.Array(Type.Object({ ...subtitle, url: Type.String() })),
  burnable: Type.Array(
    Type.Object({
      ...subtitle,
      kind: Type.Enum([...BURNABLE_KINDS], {
        description: '`bitmap`: images, which can only be burned in; `styled`: text with its own fonts and positions; `text`: plain text.',
      }),
    }),
    { description: 'Subtitles that can be burned in. Start a session with `subtitleIndex` set to one `index`.' },
  ),
  burnIn: nullable(Type.Integer({ minimum: 0, description: 'Index of the subtitle that is burned into the video of this session.' })),
  audio: Type.Array(
    Type.Object({
      index: Count,
      language: nullable(Type.String()),
      codec: Type.String(),
      channels: Count,
      default: Type.Boolean({ description: 'The track that the film plays unless another one is chosen.' }),
    }),
  ),
  chapters: Type.Array(Type.Object({ start: Seconds, title: nullable(Type.String()) }), { description: 'Chapters of the file.' }),
  audioGain: nullable(Type.Number({ description: 'Gain of streamed audio in dB; null: unchanged.' })),
  problem,
  heartbeatIntervalSeconds: Count,
  expiresAt: Type.String({ format: 'date-time', description: 'When the session ends if no heartbeat arrives.' }),
  createdAt: Time,
}

export const Session = named('Session', Type.Object({ ...session, streamToken, streamTokenExpiresAt: Time }))
export type SessionBody = Static<typeof Session>

export const ActiveSession = named(
  'ActiveSession',
  Type.Object({
    ...session,
    user: Type.Object({ id: Id, name: Type.String() }),
    device: nullable(Type.String({ description: 'Device of the client, or else its name.' })),
    movie: refTo(MovieSummary),
  }),
)
export type ActiveSessionBody = Static<typeof ActiveSession>

export const ActiveSessionPage = pageOf(ActiveSession)

const name = (maxLength: number) => Type.String({ minLength: 1, maxLength })

const Capabilities = Type.Object(
  {
    containers: Type.Optional(
      Type.Array(name(20), {
        maxItems: 30,
        description: 'Containers of files that the player plays directly.',
        examples: [['mp4', 'matroska', 'webm']],
      }),
    ),
    video: Type.Optional(
      Type.Array(
        Type.Object({
          codec: name(20),
          profile: Type.Optional(nullable(name(40))),
          level: Type.Optional(
            nullable(Type.Number({ minimum: 0, maximum: 20, description: 'Level as the standard writes it, such as 4.1.' })),
          ),
          bitDepth: Type.Optional(Type.Integer({ minimum: 8, maximum: 16, default: 8 })),
          hdr: Type.Optional(Type.Array(Type.Enum([...HDR_KINDS]), { maxItems: HDR_KINDS.length })),
        }),
        { maxItems: 40, description: 'Video that the player decodes. Default: 8-bit H.264.' },
      ),
    ),
    audio: Type.Optional(
      Type.Array(Type.Object({ codec: name(20), maxChannels: Type.Optional(Type.Integer({ minimum: 1, maximum: 64, default: 2 })) }), {
        maxItems: 40,
        description: 'Audio that the player decodes, in addition to stereo AAC.',
      }),
    ),
    maxHeight: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Lines of the shorter side.' }))),
    maxBitrate: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Bit/s.' }))),
  },
  {
    description: 'Capabilities of the player, with names as ffprobe prints them. Default: what every player supports.',
    examples: [
      {
        containers: ['mp4', 'matroska'],
        video: [{ codec: 'hevc', level: 5.1, bitDepth: 10, hdr: ['hdr10'] }, { codec: 'h264' }],
        audio: [
          { codec: 'aac', maxChannels: 6 },
          { codec: 'eac3', maxChannels: 6 },
        ],
        maxHeight: 2160,
      },
    ],
  },
)

const named200 = Type.Optional(nullable(text(200)))

export const NewSessionBody = Type.Object(
  {
    movieId: Id,
    fileId: Type.Optional(Id),
    startPosition: Type.Optional(Seconds),
    quality: Type.Optional(text(20, { description: 'Quality that the player will request first. The server starts it at once.' })),
    audioIndex: Type.Optional({
      ...Count,
      description: 'Audio track to play first: the default of the master playlist. A player of the file itself chooses the track there.',
    }),
    subtitleIndex: Type.Optional({
      ...Count,
      description: 'Subtitle to show first. A bitmap subtitle is burned into the video, so the video is transcoded.',
    }),
    burnSubtitle: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Burns in a text subtitle too, with its own styles and fonts.',
      }),
    ),
    capabilities: Type.Optional(Capabilities),
    audioGain: Type.Optional(
      Type.Union([Type.Literal('auto'), Type.Integer({ minimum: -MAX_GAIN_DB, maximum: MAX_GAIN_DB })], {
        description:
          'Gain of streamed audio in dB, or `auto` for -16 LUFS. It never clips, and is positive only if the loudness was measured. The ' +
          'answer has the gain that applies.',
      }),
    ),
    client: Type.Optional(Type.Object({ name: named200, version: named200, device: named200, deviceId: named200 })),
  },
  { examples: [{ movieId: 'V1StGXR8Z5jdHi6B1myTq', startPosition: 0, client: { name: 'Living room', device: 'TV' } }] },
)

export const HeartbeatBody = Type.Object(
  {
    position: Seconds,
    playState: Type.Optional(playState),
    rate: Type.Optional(Type.Number({ minimum: 0, maximum: 16, description: 'Playback rate; 1 is normal.' })),
    sequence: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'A heartbeat with a lower number than the last one is ignored.',
      }),
    ),
    lastCommandId: Type.Optional({ ...Id, description: 'The last of `commands` that the player has executed.' }),
  },
  { examples: [{ position: 1830.5, playState: 'playing' }] },
)

export const PlayerCommand = named(
  'PlayerCommand',
  Type.Object({ id: Id, command: Type.Enum(['pause', 'stop', 'message', 'reload']), message: nullable(Type.String()) }),
)

export const HeartbeatAnswer = named(
  'HeartbeatAnswer',
  Type.Object({
    sessionId: Id,
    state: Type.Enum(['active', 'ended']),
    playState,
    position: Seconds,
    expiresAt: Time,
    streamToken: nullable(Type.String({ description: 'A new stream token if the old one expires within an hour, else null.' })),
    streamTokenExpiresAt: nullable(Time),
    problem,
    commands: Type.Array(refTo(PlayerCommand), {
      description:
        'Oldest first, repeated until `lastCommandId` acknowledges them. `reload`: load the master playlist again and continue at the position.',
    }),
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
