/**
 * Bus: messages between the programs, at most once, without history. Subjects as in NATS: words joined by dots; a subscription may use `*`
 * for one word and `>` for the rest.
 */
import type { JsonObject } from '../events/envelope.ts'

/** Most bytes beside the head of one message. */
export const MAX_BODY_BYTES = 512 * 1024

export interface Message {
  readonly head: JsonObject
  /** At most MAX_BODY_BYTES. */
  readonly body?: Uint8Array
}

export interface Subscription {
  /** Settles when the subscription receives other programs' messages; during an outage of the engine, not before it is back. */
  readonly ready: Promise<void>
  close(): void
}

export interface Bus {
  /** A message that the engine cannot accept now is dropped without an error. */
  publish(subject: string, message: Message): void
  subscribe(subject: string, handler: (message: Message, subject: string) => void): Subscription
  /** Answers requests; each request goes to one of the responders on its subject. A handler that throws sends no reply. */
  respond(subject: string, handler: (message: Message, subject: string) => Promise<Message>): Subscription
  /**
   * @throws NoResponder nobody responds on this subject: nothing ran
   * @throws ServerUnavailable the bus cannot be reached: nothing ran
   * @throws ReplyTimeout no reply in time, or the reply was lost: it may have run
   */
  request(subject: string, message: Message, options: { readonly timeoutMs: number; readonly signal?: AbortSignal }): Promise<Message>
  close(): Promise<void>
}

export class NoResponder extends Error {
  readonly code = 'no-responder'
  constructor(subject: string, options?: ErrorOptions) {
    super(`Nobody answers on ${subject}`, options)
    this.name = 'NoResponder'
  }
}

export class ReplyTimeout extends Error {
  readonly code = 'reply-timeout'
  constructor(subject: string, options?: ErrorOptions) {
    super(`No answer on ${subject} in time`, options)
    this.name = 'ReplyTimeout'
  }
}
