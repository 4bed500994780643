/**
 * Bus: messages between the programs. At most once, no history. Subjects as in NATS: words joined by dots; a subscription
 * may use `*` for one word and `>` for the rest.
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
  /** Settles when other programs' messages reach the subscription: while the engine is away not before it is back. */
  readonly ready: Promise<void>
  close(): void
}

export interface Bus {
  /** What the engine cannot take now is dropped; that is not thrown. */
  publish(subject: string, message: Message): void
  subscribe(subject: string, handler: (message: Message, subject: string) => void): Subscription
  /** Answers requests; of several responders on one subject one gets each request. A throwing handler answers nothing. */
  respond(subject: string, handler: (message: Message, subject: string) => Promise<Message>): Subscription
  /**
   * @throws NoResponder nobody is there: nothing ran
   * @throws ServerUnavailable the bus cannot be reached: nothing ran
   * @throws ReplyTimeout no answer in time, or the way back broke: it may have run
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
