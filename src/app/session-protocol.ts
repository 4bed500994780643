/**
 * What is said to a session's actor over the bus (`playback.<session>`), and what it answers. Heads are plain JSON; this file is
 * their codec.
 */
import type { EndReason } from '../events/playback-events.ts'
import type { JsonObject } from '../events/envelope.ts'
import type { SessionId } from '../events/id.ts'
import type { Position } from '../events/position.ts'
import type { Beat } from '../domain/playback.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Author } from './commander.ts'
import type { Message } from '../ports/bus.ts'

export type SessionCommand =
  | { readonly type: 'beat'; readonly beat: Beat }
  | { readonly type: 'seek'; readonly positionMs: number }
  | { readonly type: 'end'; readonly reason: EndReason }
  | { readonly type: 'expire' }

export interface SessionRequest {
  readonly command: SessionCommand
  readonly author: Author
}

/** `position`: where the effects of the command stand in the log. */
export type SessionReply = { readonly position: Position } | Refusal

export const sessionSubject = (id: SessionId) => `playback.${id}`

export const encodeRequest = (request: SessionRequest): Message => ({ head: plain(request) })
export const decodeRequest = ({ head }: Message): SessionRequest => head as unknown as SessionRequest
export const encodeReply = (reply: SessionReply): Message => ({ head: plain(reply) })
export const decodeReply = ({ head }: Message): SessionReply => head as unknown as SessionReply

const plain = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject
