/**
 * Defines the messages on the bus between the owner of a rendition and a transcode agent. Work is described by enums and numbers, never by
 * program arguments. Segments are returned in records of at most one message's bytes. Each record is acknowledged, so that a window bounds
 * the bytes in flight. Every order and record carries the rendition's epoch: messages with an older epoch are ignored.
 */
import { Type, type TSchema } from 'typebox'
import { ENCODERS, type Encoder } from '../../../vocabulary/encoder.ts'
import type { JsonObject } from '../../../events/envelope.ts'
import { isHardware, SOFTWARE } from '../../../domain/streaming/encoders.ts'
import { mapperOf } from '../../../domain/streaming/tone-map.ts'
import type { MediaPart } from '../../../vocabulary/media-part.ts'
import { TONE_MAPPERS, type ToneMapper } from '../../../vocabulary/tone-mapper.ts'
import type { Grid } from '../../../domain/streaming/segment-grid.ts'
import type { JobNeeds } from '../../../domain/streaming/placement.ts'
import type { Output } from '../../../domain/streaming/rendition.ts'
import { OUTPUT, outputOfToday } from './output-shape.ts'
import { JOB_ATTACHMENT_MAX_BYTES } from './job-attachment.ts'
import { messageSchema } from '../../message-schema.ts'

/** The film of a job: its path at the owner, and a token for agents that do not have it. */
export type JobSource = {
  readonly fileId: string
  readonly path: string
  /** A file at the same path on the agent's machine is the same film if both of these match. */
  readonly sizeBytes: number
  readonly modifiedAtMs: number
  /** Missing if one clock runs through the film. */
  readonly parts?: readonly MediaPart[]
  /** Grants access to `/api/agent/sources/<fileId>` for this job alone. */
  readonly token: string
}

/** One run: from a segment to the film's end, or until it is stopped. */
export type JobSpec = {
  readonly jobId: string
  /** Id of film and form, independent of the owner. Letters, digits, dashes, dots. */
  readonly rendition: string
  /** Fencing token: increases with each owner of the rendition. */
  readonly epoch: number
  readonly source: JobSource
  readonly stream: number
  readonly output: Output
  readonly grid: Grid
  readonly zeroMs: number
  readonly startSegment: number
  /** A timestamp of the file; null is its start. */
  readonly seekMs: number | null
  /** Data that the job needs in addition to the film; the owner sends it in pieces. */
  readonly attachment?: { readonly digest: string; readonly sizeBytes: number }
  /** Subject that receives the records. */
  readonly inbox: string
  /** Segments that start before this time may be made; there the agent pauses reading the film. */
  readonly creditMs: number
}

export type StartReply =
  | { readonly type: 'accepted' }
  | { readonly type: 'busy' }
  /** A newer owner of the rendition was here: this owner's orders are no longer followed. */
  | { readonly type: 'superseded' }
  /** The agent cannot open the film; another may. */
  | { readonly type: 'unreachable'; readonly reason: string }
  /** The agent cannot do the job; a retry there would fail too. */
  | { readonly type: 'refused'; readonly reason: string }

/**
 * Agent to owner, each a request. `init` and `segment` have bytes. All go to the job's inbox, except heartbeats and `left`, which must not
 * queue behind bytes.
 */
export type JobRecord =
  | { readonly type: 'init'; readonly epoch: number; readonly codec: string }
  | {
      readonly type: 'segment'
      readonly epoch: number
      readonly segment: number
      readonly part: number
      readonly parts: number
      /** Time spent on the segment, without waiting for credit. */
      readonly workMs: number
    }
  | { readonly type: 'missing'; readonly epoch: number; readonly from: number; readonly through: number }
  | { readonly type: 'beat'; readonly epoch: number }
  /** `left`: the agent is stopping, or cannot fetch the film any more; another agent may. */
  | { readonly type: 'ended'; readonly epoch: number; readonly outcome: 'complete' | 'failed' | 'left'; readonly reason: string }

/** The owner's reply to a record. */
export type RecordReply = { readonly type: 'go'; readonly creditMs: number } | { readonly type: 'stop' }

/** Owner to agent, at any time. */
export type JobOrder =
  | { readonly type: 'credit'; readonly epoch: number; readonly creditMs: number }
  | { readonly type: 'stop'; readonly epoch: number }

/** Owner to agent, a request, after a silence about the job. */
export type JobQuestion = { readonly type: 'question'; readonly jobId: string }
export type JobAnswer = { readonly type: 'answer'; readonly isRunning: boolean }

/** Agent to owner, a request: the bytes of the attachment from an offset on, as many as fit into one message. */
export type PieceRequest = { readonly type: 'piece'; readonly at: number }

/** An encoder that was tested successfully. */
export type ProvedEncoder = {
  readonly name: Encoder
  /** From 1080p to 720p, without other load. */
  readonly framesPerSecond: number
}

/** An agent's announcement, sent every few seconds, when its free slots change, and on request. */
export type AgentHello = {
  readonly type: 'hello'
  readonly agentId: string
  /** Version of its ffmpeg. */
  readonly version: string
  readonly slots: number
  readonly free: number
  /** Average of the last minute per core: 1 is a fully used machine. */
  readonly load: number
  /** Null until they were tested. */
  readonly encoders: readonly ProvedEncoder[] | null
  /** Its tone-mappers, except those that failed a test. */
  readonly toneMaps?: readonly ToneMapper[]
  /** It is stopping, and takes no jobs. */
  readonly leaving: boolean
}

export const subjects = {
  start: (agentId: string) => `agent.${agentId}.start`,
  question: (agentId: string) => `agent.${agentId}.question`,
  order: (jobId: string) => `job.${jobId}.order`,
  beat: (jobId: string) => `job.${jobId}.beat`,
  attachment: (jobId: string) => `job.${jobId}.parcel`,
  inbox: (node: string, jobId: string) => `stream.${node}.${jobId}`,
  hello: 'agents.present',
  /** The same without members that older nodes do not know: they reject any other announcement. */
  plainHello: 'agents.hello',
  who: 'agents.who',
}

export const WINDOW_RECORDS = 8
export const BEAT_MS = 2_000
/**
 * After the first silence an owner asks an agent about a job, after the second it gives the job up; after the third an agent stops by
 * itself.
 */
export const QUESTION_MS = 1_500
export const AGENT_SILENT_MS = 6_000
export const OWNER_SILENT_MS = 10_000
export const HELLO_MS = 5_000
export const HELLO_TTL_MS = 15_000

/** Share of the CPU work that remains when hardware encodes. */
const HARDWARE_SHARE = 0.25

/** Share of an agent's slots that a job takes, by the height of the encoded video. */
export function weightOf(output: Output): number {
  if (output.type !== 'encode-video') return 0.1
  const lines = Math.min(output.width, output.height)
  const weight = lines > 1440 ? 4 : lines > 720 ? 2 : 1
  return isHardware(output.encoder) ? HARDWARE_SHARE * weight : weight
}

export function needsOf(output: Output): JobNeeds {
  const weight = weightOf(output)
  if (output.type !== 'encode-video') return { weight, encoder: null, toneMap: null }
  return { weight, encoder: output.encoder, toneMap: mapperOf(output.toneMap) }
}

/** In the format that older nodes know. */
export function plainHello({ toneMaps: _toneMaps, ...hello }: AgentHello): AgentHello {
  return { ...hello, encoders: hello.encoders && hello.encoders.filter(({ name }) => name === SOFTWARE) }
}

const closed = { additionalProperties: false }
const count = (most: number) => Type.Integer({ minimum: 0, maximum: most })
const time = Type.Number({ minimum: -1e9, maximum: 1e9 })
const word = Type.String({ minLength: 1, maxLength: 200, pattern: '^[A-Za-z0-9._-]+$' })
const epoch = count(Number.MAX_SAFE_INTEGER)
const segment = count(1e6)
const reason = Type.String({ maxLength: 2000 })
const tagged = (type: string, rest: Record<string, TSchema>) => Type.Object({ type: Type.Literal(type), ...rest }, closed)
const GRID = Type.Union([
  tagged('even', { stepMs: Type.Integer({ minimum: 500, maximum: 60_000 }), count: segment, endMs: time }),
  tagged('listed', { startsMs: Type.Array(time, { minItems: 1, maxItems: 50_000 }), endMs: time }),
])
const bytes = count(Number.MAX_SAFE_INTEGER)
const PART = Type.Object({ startByte: bytes, endByte: bytes, durationMs: count(1e9) }, closed)

export const sourceShape = (tokenCharacters: number) =>
  Type.Object(
    {
      fileId: word,
      path: Type.String({ minLength: 1, maxLength: 8192, pattern: '^[^\\u0000]+$' }),
      sizeBytes: bytes,
      modifiedAtMs: Type.Number(),
      parts: Type.Optional(Type.Array(PART, { minItems: 2, maxItems: 64 })),
      token: Type.String({ maxLength: tokenCharacters }),
    },
    closed,
  )
const PARCEL = Type.Object({ digest: Type.String({ pattern: '^[0-9a-f]{64}$' }), sizeBytes: count(JOB_ATTACHMENT_MAX_BYTES) }, closed)
const JOB = messageSchema(
  Type.Object(
    {
      jobId: word,
      rendition: word,
      epoch,
      source: sourceShape(500),
      stream: count(1000),
      output: OUTPUT,
      grid: GRID,
      zeroMs: time,
      startSegment: segment,
      seekMs: Type.Union([time, Type.Null()]),
      attachment: Type.Optional(PARCEL),
      inbox: Type.String({ maxLength: 200, pattern: '^stream\\.[A-Za-z0-9._-]+$' }),
      creditMs: time,
    },
    closed,
  ),
)
const RECORD = messageSchema(
  Type.Union([
    tagged('init', { epoch, codec: word }),
    tagged('segment', { epoch, segment, part: count(4096), parts: count(4096), workMs: time }),
    tagged('missing', { epoch, from: segment, through: segment }),
    tagged('beat', { epoch }),
    tagged('ended', {
      epoch,
      outcome: Type.Union([Type.Literal('complete'), Type.Literal('failed'), Type.Literal('left')]),
      reason,
    }),
  ]),
)
const START_REPLY = messageSchema(
  Type.Union([
    tagged('accepted', {}),
    tagged('busy', {}),
    tagged('superseded', {}),
    tagged('unreachable', { reason }),
    tagged('refused', { reason }),
  ]),
)
const REPLY = messageSchema(Type.Union([tagged('go', { creditMs: time }), tagged('stop', {})]))
const ORDER = messageSchema(Type.Union([tagged('credit', { epoch, creditMs: time }), tagged('stop', { epoch })]))
const QUESTION = messageSchema(tagged('question', { jobId: word }))
const PIECE = messageSchema(tagged('piece', { at: count(JOB_ATTACHMENT_MAX_BYTES) }))
const ANSWER = messageSchema(tagged('answer', { isRunning: Type.Boolean() }))
const measured = Type.Number({ minimum: 0, maximum: 1e6 })
const HELLO = messageSchema(
  tagged('hello', {
    agentId: word,
    version: Type.String({ maxLength: 200 }),
    slots: measured,
    // Negative if one job needs more than all slots.
    free: Type.Number({ minimum: -1e6, maximum: 1e6 }),
    load: measured,
    encoders: Type.Union([
      Type.Array(Type.Object({ name: Type.Union(ENCODERS.map((name) => Type.Literal(name))), framesPerSecond: measured }, closed), {
        maxItems: 20,
      }),
      Type.Null(),
    ]),
    toneMaps: Type.Optional(Type.Array(Type.Union(TONE_MAPPERS.map((name) => Type.Literal(name))), { maxItems: 20 })),
    leaving: Type.Boolean(),
  }),
)

export const isJobSpec = (head: JsonObject): head is JobSpec => JOB(head)
/** A job, also in the format of older nodes; undefined if it is not a job. */
export function jobIn(head: JsonObject): JobSpec | undefined {
  const { output } = head
  const spec = output === undefined ? head : { ...head, output: outputOfToday(output) }
  return isJobSpec(spec) ? spec : undefined
}
export const isJobRecord = (head: JsonObject): head is JobRecord => RECORD(head)
export const isStartReply = (head: JsonObject): head is StartReply => START_REPLY(head)
export const isRecordReply = (head: JsonObject): head is RecordReply => REPLY(head)
export const isJobOrder = (head: JsonObject): head is JobOrder => ORDER(head)
export const isJobQuestion = (head: JsonObject): head is JobQuestion => QUESTION(head)
export const isPieceRequest = (head: JsonObject): head is PieceRequest => PIECE(head)
export const isJobAnswer = (head: JsonObject): head is JobAnswer => ANSWER(head)
export const isAgentHello = (head: JsonObject): head is AgentHello => HELLO(head)
