/**
 * Defines the messages between nodes about a rendition that one of them owns. Segments are requested from the owner, which replies with the
 * first message's worth of bytes. The rest is pulled from where the owner lends it, a window at a time.
 */
import { Type, type TSchema } from 'typebox'
import type { JsonObject } from '../../../events/envelope.ts'
import { INIT } from '../../../ports/segment-store.ts'
import { messageSchema } from '../../message-schema.ts'

export type RenditionRequest =
  | {
      readonly type: 'get'
      /** Identifies the request across retries: the owner waits only once for it. */
      readonly ask: string
      readonly viewer: string
      /** INIT for the init segment. */
      readonly segment: number
      /** How much longer its client waits. */
      readonly withinMs: number
      /** As in `Ask`. */
      readonly still?: true
    }
  /** The client of a request has disconnected. */
  | { readonly type: 'gone'; readonly ask: string }
  /** Position of a viewer that another node serves from its cache. */
  | { readonly type: 'seen'; readonly viewer: string; readonly segment: number }

export type RenditionReply =
  /** With the bytes, or the first MAX_BODY_BYTES of them. */
  | {
      readonly type: 'bytes'
      readonly sizeBytes: number
      /** The node and transfer that keep the other parts for a while. */
      readonly node: string
      readonly transfer: string
      /** Codec string of the init segment. */
      readonly codec: string | null
      readonly form: Form
    }
  | { readonly type: 'unavailable'; readonly unavailable: string; readonly missing: boolean; readonly retryAfterSeconds: number }
  /** The film has no such segment. */
  | { readonly type: 'nothing' }
  /** Not ready yet: retry. */
  | { readonly type: 'waiting' }
  /** The receiver does not own the rendition any more. */
  | { readonly type: 'moved' }
  | { readonly type: 'noted'; readonly form: Form }

/** Identifies the init segment that the segments belong to; null if any one will do. */
export type Form = string | null

/** Requests the bytes from `part * MAX_BODY_BYTES` on. */
export type PartRequest = { readonly type: 'part'; readonly transfer: string; readonly part: number }
export type PartReply = { readonly type: 'part' } | { readonly type: 'lost' }

export const renditionSubject = (id: string): string => `rendition.${id}.get`
export const partsSubject = (node: string): string => `stream.${node}.parts`

/** An owner replies within this time, ready or not, so that its death is noticed soon. */
export const POLL_MS = 2_000
/** Extra wait for an owner's reply if the client's remaining time is shorter: everything ends before a player gives up. */
export const LAST_MARGIN_MS = 500
/** Larger than any segment. */
const MAX_SIZE_BYTES = 512 * 1024 * 1024

const tagged = (type: string, rest: Record<string, TSchema>) =>
  Type.Object({ type: Type.Literal(type), ...rest }, { additionalProperties: false })
const word = Type.String({ minLength: 1, maxLength: 200, pattern: '^[A-Za-z0-9._-]+$' })
const viewer = Type.String({ minLength: 1, maxLength: 200 })
const segment = Type.Integer({ minimum: INIT, maximum: 1e6 })
const form = Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()])

const REQUEST = messageSchema(
  Type.Union([
    tagged('get', {
      ask: word,
      viewer,
      segment,
      withinMs: Type.Number({ minimum: 0, maximum: 60_000 }),
      still: Type.Optional(Type.Literal(true)),
    }),
    tagged('gone', { ask: word }),
    tagged('seen', { viewer, segment: Type.Integer({ minimum: 0, maximum: 1e6 }) }),
  ]),
)
const REPLY = messageSchema(
  Type.Union([
    tagged('bytes', {
      sizeBytes: Type.Integer({ minimum: 0, maximum: MAX_SIZE_BYTES }),
      node: word,
      transfer: word,
      codec: Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()]),
      form,
    }),
    tagged('unavailable', {
      unavailable: Type.String({ maxLength: 2_000 }),
      missing: Type.Boolean(),
      retryAfterSeconds: Type.Number({ minimum: 0, maximum: 3_600 }),
    }),
    tagged('nothing', {}),
    tagged('waiting', {}),
    tagged('moved', {}),
    tagged('noted', { form }),
  ]),
)
const PART_REQUEST = messageSchema(tagged('part', { transfer: word, part: Type.Integer({ minimum: 1, maximum: 4_096 }) }))

export const isRenditionRequest = (head: JsonObject): head is RenditionRequest => REQUEST(head)
export const isRenditionReply = (head: JsonObject): head is RenditionReply => REPLY(head)
export const isPartRequest = (head: JsonObject): head is PartRequest => PART_REQUEST(head)
