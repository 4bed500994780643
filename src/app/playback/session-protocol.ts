/**
 * Encodes and decodes the messages to a session's actor over the bus (`playback.<session>.<token>`), and its replies. Heads are plain JSON.
 */
import type { EndReason } from '../../events/playback-events.ts'
import type { JsonObject } from '../../events/envelope.ts'
import type { SessionId } from '../../vocabulary/id.ts'
import type { Position } from '../../events/position.ts'
import type { EncoderSwitch, EndFacts, HeartbeatFacts, Order, PlaylistReload } from '../../domain/playback/playback.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { Author } from '../commands/command-handler.ts'
import type { Message } from '../../ports/bus.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import { Conflict, OutcomeUnknown } from '../../ports/event-log.ts'
import { REPLY, REQUEST } from './session-message-schemas.ts'

export type SessionCommand =
  | { readonly type: 'beat'; readonly beat: HeartbeatFacts }
  | ({ readonly type: 'reloadPlaylists' } & PlaylistReload)
  | ({ readonly type: 'switchEncoder' } & EncoderSwitch)
  | { readonly type: 'seek'; readonly positionMs: number }
  | { readonly type: 'command'; readonly order: Order }
  | ({ readonly type: 'end'; readonly reason: EndReason } & EndFacts)
  | { readonly type: 'expire' }

export interface SessionRequest {
  readonly command: SessionCommand
  readonly author: Author
}

/** `position`: where the command's events are in the log. */
export type SessionReply = { readonly position: Position } | Refusal

/** Nothing was done: the receiver is no longer the session's actor. */
export interface ActorMoved {
  readonly moved: true
}

export const ACTOR_MOVED: ActorMoved = { moved: true }
export const hasActorMoved = (reply: SessionReply | ActorMoved): reply is ActorMoved => 'moved' in reply

/** The command failed, or its outcome is unknown: the code of the error on the actor's node. */
export interface Failed {
  readonly failed: string
  readonly code: string
}

/** A temporary error on the actor's node, sent back so that the caller need not wait for a timeout. */
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

/** @throws any other error: a bug is reported on the actor's node, and gets no reply */
export function failureOf(cause: unknown): Failed {
  if (cause instanceof OutcomeUnknown || cause instanceof Conflict || cause instanceof ServerUnavailable) {
    return { failed: cause.message, code: cause.code }
  }
  throw cause
}

export const encodeRequest = (request: SessionRequest): Message => ({ head: plain(request) })
/** Undefined if it is no request: nodes may run different versions for a while, and accounts of the bus may be stolen. */
export const decodeRequest = ({ head }: Message): SessionRequest | undefined =>
  REQUEST(head) ? (head as unknown as SessionRequest) : undefined
export const encodeReply = (reply: SessionReply | ActorMoved | Failed): Message => ({ head: plain(reply) })

/** The reply to a message that is no request. */
export const STRANGE: Refusal = refuse('unavailable', 'The server is being updated: try again', { retryAfterSeconds: 5 })

/** @throws FailedThere also for an unreadable reply: the command may have been executed */
export function decodeReply({ head }: Message): SessionReply | ActorMoved {
  if (!REPLY(head))
    throw new FailedThere({ failed: 'The answer of the node that has this session cannot be read', code: 'outcome-unknown' })
  const reply = head as unknown as SessionReply | ActorMoved | Failed
  if ('failed' in reply) throw new FailedThere(reply)
  return reply
}

const plain = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject
