/**
 * What is said to a session's actor over the bus (`playback.<session>.<token>`), and what it answers. Heads are plain JSON; this file
 * is their codec.
 */
import type { EndReason } from '../../events/playback-events.ts'
import type { JsonObject } from '../../events/envelope.ts'
import type { SessionId } from '../../vocabulary/id.ts'
import type { Position } from '../../events/position.ts'
import type { EndFacts, HeartbeatFacts, Order } from '../../domain/playback/playback.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { Author } from '../commands/command-handler.ts'
import type { Message } from '../../ports/bus.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import { Conflict, OutcomeUnknown } from '../../ports/event-log.ts'
import { REPLY, REQUEST } from './session-message-schemas.ts'

export type SessionCommand =
  | { readonly type: 'beat'; readonly beat: HeartbeatFacts }
  | { readonly type: 'seek'; readonly positionMs: number }
  | { readonly type: 'command'; readonly order: Order }
  | ({ readonly type: 'end'; readonly reason: EndReason } & EndFacts)
  | { readonly type: 'expire' }

export interface SessionRequest {
  readonly command: SessionCommand
  readonly author: Author
}

/** `position`: where the effects of the command stand in the log. */
export type SessionReply = { readonly position: Position } | Refusal

/** Nothing was done: the one who was asked is the session's actor no longer. */
export interface ActorMoved {
  readonly moved: true
}

export const ACTOR_MOVED: ActorMoved = { moved: true }
export const hasActorMoved = (reply: SessionReply | ActorMoved): reply is ActorMoved => 'moved' in reply

/** It was not carried out, or nobody knows: by the code of what was thrown there. */
export interface Failed {
  readonly failed: string
  readonly code: string
}

/** What was thrown on the actor's node and passes, so that whoever asked from elsewhere need not wait for an answer in vain. */
export class FailedThere extends Error {
  readonly code: string
  constructor({ failed, code }: Failed) {
    super(failed)
    this.name = 'FailedThere'
    this.code = code
  }
}

/** `token`: of the actor's lease. */
export const sessionSubject = (id: SessionId, token: number) => `playback.${id}.${token}`

/** @throws what does not pass: a fault of the program is told there, and answered to nobody */
export function failureOf(cause: unknown): Failed {
  if (cause instanceof OutcomeUnknown || cause instanceof Conflict || cause instanceof ServerUnavailable) {
    return { failed: cause.message, code: cause.code }
  }
  throw cause
}

export const encodeRequest = (request: SessionRequest): Message => ({ head: plain(request) })
/** Undefined where it is no request: nodes may be of different versions for a while, and accounts of the bus may be stolen. */
export const decodeRequest = ({ head }: Message): SessionRequest | undefined =>
  REQUEST(head) ? (head as unknown as SessionRequest) : undefined
export const encodeReply = (reply: SessionReply | ActorMoved | Failed): Message => ({ head: plain(reply) })

/** Says no to what is no request. */
export const STRANGE: Refusal = refuse('unavailable', 'The server is being updated: try again', { retryAfterSeconds: 5 })

/** @throws FailedThere also for what is no answer: the command may have been carried out */
export function decodeReply({ head }: Message): SessionReply | ActorMoved {
  if (!REPLY(head))
    throw new FailedThere({ failed: 'The answer of the node that has this session cannot be read', code: 'outcome-unknown' })
  const reply = head as unknown as SessionReply | ActorMoved | Failed
  if ('failed' in reply) throw new FailedThere(reply)
  return reply
}

const plain = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject
