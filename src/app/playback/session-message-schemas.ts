/**
 * Schemas of the messages to and from a session's actor. Objects are open, since a newer node may send more members. Known members are
 * validated: numbers are finite and within the range of a film.
 */
import { Type } from 'typebox'
import { ENCODERS } from '../../vocabulary/encoder.ts'
import { ID_PATTERN } from '../../vocabulary/id.ts'
import { TONE_MAPPERS } from '../../vocabulary/tone-mapper.ts'
import { messageSchema } from '../message-schema.ts'

const oneOf = (...words: readonly string[]) => Type.Union(words.map((word) => Type.Literal(word)))
const tagged = (type: string, rest: Parameters<typeof Type.Object>[0] = {}) => Type.Object({ type: Type.Literal(type), ...rest })
const text = (maxLength: number) => Type.String({ maxLength })
const id = Type.String({ pattern: ID_PATTERN })
const ms = Type.Number({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })

const ORDER = Type.Object({
  commandId: id,
  command: oneOf('pause', 'stop', 'message', 'reload'),
  message: Type.Union([text(10_000), Type.Null()]),
})
const BEAT = Type.Object({
  positionMs: ms,
  playState: Type.Optional(oneOf('playing', 'paused', 'buffering')),
  rate: Type.Optional(Type.Number({ minimum: 0, maximum: 16 })),
  sequence: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  lastCommandId: Type.Optional(text(200)),
})
const ENCODER_SWITCH = { commandId: id, encoder: oneOf(...ENCODERS), toneMapping: Type.Optional(oneOf(...TONE_MAPPERS, 'none')) }
const COMMAND = Type.Union([
  tagged('beat', { beat: BEAT }),
  tagged('reloadPlaylists', { commandId: id, beforeMs: ms }),
  tagged('switchEncoder', ENCODER_SWITCH),
  tagged('seek', { positionMs: ms }),
  tagged('command', { order: ORDER }),
  tagged('end', {
    reason: oneOf('client', 'admin', 'signed_out', 'access_revoked', 'library_deleted', 'user_disabled'),
    last: Type.Optional(ORDER),
    positionMs: Type.Optional(ms),
  }),
  tagged('expire'),
])
const ORIGIN = Type.Object({
  requestId: text(200),
  address: Type.Union([text(200), Type.Null()]),
  client: Type.Union([text(10_000), Type.Null()]),
})
const AUTHOR = Type.Object({
  actor: text(200),
  command: text(200),
  origin: Type.Optional(ORIGIN),
  subject: Type.Optional(text(200)),
  causation: Type.Optional(text(200)),
})

export const REQUEST = messageSchema(Type.Object({ command: COMMAND, author: AUTHOR }))

export const REPLY = messageSchema(
  Type.Union([
    Type.Object({ position: Type.String({ pattern: '^[0-9]{20}$' }) }),
    Type.Object({
      refusal: oneOf('not-found', 'forbidden', 'unauthenticated', 'conflict', 'changed', 'invalid', 'too-many', 'unavailable'),
      message: text(10_000),
      path: Type.Optional(text(1_000)),
      retryAfterSeconds: Type.Optional(Type.Number({ minimum: 0, maximum: 1e6 })),
    }),
    Type.Object({ moved: Type.Literal(true) }),
    Type.Object({ failed: text(10_000), code: text(200) }),
  ]),
)
