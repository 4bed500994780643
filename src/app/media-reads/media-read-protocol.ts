/**
 * Defines the messages between an API node and a transcode agent about reads of films. The node sends a request that any agent may accept.
 * The agent sends the program's output in pieces, each acknowledged before the next, and heartbeats meanwhile; the last message contains
 * the exit status. A node cancels a read by an order, or by not replying any more.
 */
import { Type, type TSchema } from 'typebox'
import type { JsonObject } from '../../events/envelope.ts'
import type { MediaRead, MediaReadEnd, ReadPriority } from '../../ports/media-reads.ts'
import { messageSchema } from '../message-schema.ts'
import { sourceShape, type JobSource } from '../streaming/agents/agent-protocol.ts'

export interface ReadRequest {
  readonly type: 'read'
  /** Letters, digits, dashes, underscores. */
  readonly readId: string
  /** Nodes take turns at an agent. */
  readonly node: string
  /** Subject that receives pieces and the end. */
  readonly inbox: string
  readonly source: JobSource
  readonly read: MediaRead
  readonly priority: ReadPriority
  /** Counts from the program's start. */
  readonly timeoutMs: number
}

export type ReadReply =
  | { readonly type: 'accepted' }
  /** The agent has no capacity; another may. */
  | { readonly type: 'busy' }
  /** The agent cannot open the film; another may. */
  | { readonly type: 'unreachable'; readonly reason: string }
  /** The agent does not know this kind of read: it is of another version. */
  | { readonly type: 'refused'; readonly reason: string }

/** Agent to node, each a request. `piece` has the bytes beside it; `at` counts pieces, so that a duplicate is recognized. */
export type ReadRecord =
  | { readonly type: 'piece'; readonly at: number }
  /** `isRunning`: the program runs; before that the read is queued. */
  | { readonly type: 'beat'; readonly isRunning: boolean }
  | ({ readonly type: 'end' } & MediaReadEnd)
  /** The agent stops, or cannot read the film any further; another agent may. */
  | { readonly type: 'left'; readonly reason: string }

/** `wait`: the node has no room for the piece yet; send it again. */
export type RecordAnswer = { readonly type: 'go' } | { readonly type: 'wait' } | { readonly type: 'stop' }

/** Node to agent, at any time. */
export type ReadOrder = { readonly type: 'stop' }

export const readSubjects = {
  /** Exactly one agent receives it. */
  request: 'films.read',
  inbox: (node: string, readId: string) => `stream.${node}.${readId}`,
  beat: (readId: string) => `job.${readId}.beat`,
  order: (readId: string) => `job.${readId}.order`,
}

export const READ_BEAT_MS = 2_000
/** Timeout after which either side considers the other one lost. */
export const READ_SILENT_MS = 10_000
/** Timeout between a request and its reply, including opening the film. */
export const READ_REPLY_MS = 3_000

const MOST_ERROR_CHARACTERS = 64 * 1024
const MOST_TIMEOUT_MS = 48 * 3_600_000

const word = Type.String({ minLength: 1, maxLength: 200, pattern: '^[A-Za-z0-9._-]+$' })
const time = Type.Number({ minimum: -1e9, maximum: 1e9 })
const stream = Type.Integer({ minimum: 0, maximum: 1_000 })
const text = (most: number) => Type.String({ maxLength: most })
const named = Type.Union([text(200), Type.Null()])
const rate = Type.Integer({ minimum: 1, maximum: 10_000 })
const size = Type.Integer({ minimum: 1, maximum: 65_536 })
const maybe = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const closed = { additionalProperties: false }
const tagged = (type: string, rest: Record<string, TSchema> = {}) => Type.Object({ type: Type.Literal(type), ...rest }, closed)

const TEXT = Type.Object({ stream, as: Type.Union([Type.Literal('copy'), Type.Literal('srt')]) }, closed)
/** The members of a track that reading uses; other members may differ between versions. */
const VIDEO_TRACK = Type.Object({
  stream,
  interlaced: Type.Boolean(),
  hdr: named,
  colorTransfer: named,
  colorPrimaries: named,
  colorSpace: named,
  colorRange: Type.Optional(text(200)),
  dolbyVision: Type.Optional(Type.Object({ compatibilityId: Type.Integer({ minimum: 0, maximum: 255 }) })),
})
const AUDIO_TRACK = Type.Object({ stream, channels: Type.Integer({ minimum: 0, maximum: 256 }), channelLayout: named })
const VIDEO = Type.Object({ track: VIDEO_TRACK, width: size, height: size }, closed)
const READ = Type.Union([
  tagged('describe'),
  tagged('first-audio-packets'),
  tagged('video-packets'),
  tagged('packets-between', { fromMs: time, toMs: time }),
  tagged('cover'),
  tagged('frame', { atMs: time }),
  tagged('texts', { tracks: Type.Array(TEXT, { minItems: 1, maxItems: 64 }), readRate: maybe(rate) }),
  tagged('text-stretch', { track: TEXT, seekMs: maybe(time), toMs: time, pacer: maybe(stream) }),
  tagged('keyframes', { mediaFile: VIDEO, readRate: rate }),
  tagged('picture-from', { mediaFile: VIDEO, fromMs: time, toMs: time, seekMs: maybe(time) }),
  tagged('loudness', {
    audio: Type.Array(AUDIO_TRACK, { minItems: 1, maxItems: 64 }),
    readRate: rate,
    mostSeconds: maybe(Type.Number({ minimum: 0, maximum: 1e6 })),
  }),
])
const REQUEST = messageSchema(
  tagged('read', {
    readId: Type.String({ minLength: 8, maxLength: 100, pattern: '^[A-Za-z0-9_-]+$' }),
    node: word,
    inbox: Type.String({ maxLength: 200, pattern: '^stream\\.[A-Za-z0-9._-]+$' }),
    source: sourceShape(12_000),
    read: READ,
    priority: Type.Union([Type.Literal('now'), Type.Literal('behind'), Type.Literal('idle')]),
    timeoutMs: Type.Number({ minimum: 1, maximum: MOST_TIMEOUT_MS }),
  }),
)
const reason = text(2_000)
const REPLY = messageSchema(
  Type.Union([tagged('accepted'), tagged('busy'), tagged('unreachable', { reason }), tagged('refused', { reason })]),
)
const RECORD = messageSchema(
  Type.Union([
    tagged('piece', { at: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) }),
    tagged('beat', { isRunning: Type.Boolean() }),
    tagged('end', {
      code: maybe(Type.Integer({ minimum: -1_000, maximum: 1_000 })),
      signal: maybe(text(20)),
      errors: text(MOST_ERROR_CHARACTERS),
      firstErrors: text(MOST_ERROR_CHARACTERS),
    }),
    tagged('left', { reason }),
  ]),
)
const ANSWER = messageSchema(Type.Union([tagged('go'), tagged('wait'), tagged('stop')]))
const ORDER = messageSchema(tagged('stop'))

export const isReadReply = (head: JsonObject): head is ReadReply => REPLY(head)
export const isReadRecord = (head: JsonObject): head is ReadRecord => RECORD(head)
export const isRecordAnswer = (head: JsonObject): head is RecordAnswer => ANSWER(head)
export const isReadOrder = (head: JsonObject): head is ReadOrder => ORDER(head)
/** Undefined for an unknown kind of read. */
export const readRequestIn = (head: unknown): ReadRequest | undefined => (isReadRequest(head) ? head : undefined)
const isReadRequest = (head: unknown): head is ReadRequest => REQUEST(head)
