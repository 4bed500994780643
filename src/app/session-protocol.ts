/**
 * What is said to a session's actor over the bus (`playback.<session>`), and what it answers. Heads are plain JSON; this file is
 * their codec.
 */
import type { EndReason } from '../events/playback-events.ts'
import type { JsonObject } from '../events/envelope.ts'
import type { SessionId } from '../events/id.ts'
import type { Position } from '../events/position.ts'
import type { Beat, Order } from '../domain/playback.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Author } from './commander.ts'
import type { Message } from '../ports/bus.ts'

export type SessionCommand =
  | { readonly type: 'beat'; readonly beat: Beat }
  | { readonly type: 'seek'; readonly positionMs: number }
  | { readonly type: 'command'; readonly order: Order }
  /** `last`: what the player is told on the way out. */
  | { readonly type: 'end'; readonly reason: EndReason; readonly last?: Order }
  | { readonly type: 'expire' }

export interface SessionRequest {
  readonly command: SessionCommand
  readonly author: Author
}

/** `position`: where the effects of the command stand in the log. */
export type SessionReply = { readonly position: Position } | Refusal

/** Nothing was done: the one who was asked is the session's actor no longer. */
export interface Moved {
  readonly moved: true
}

export const MOVED: Moved = { moved: true }
export const hasMoved = (reply: SessionReply | Moved): reply is Moved => 'moved' in reply

export const sessionSubject = (id: SessionId) => `playback.${id}`

export const encodeRequest = (request: SessionRequest): Message => ({ head: plain(request) })
export const decodeRequest = ({ head }: Message): SessionRequest => head as unknown as SessionRequest
export const encodeReply = (reply: SessionReply | Moved): Message => ({ head: plain(reply) })
export const decodeReply = ({ head }: Message): SessionReply | Moved => head as unknown as SessionReply | Moved

const plain = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject
