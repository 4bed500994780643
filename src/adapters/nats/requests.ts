/** Matches requests with their replies: one inbox for all, distinguished by the last word of the reply subject. */
import { createInbox, type Msg, type MsgHdrs } from 'nats'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { NoResponder, ReplyTimeout, type Message } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'
import { natsUnavailable } from './connection.ts'
import { decodeFrame } from './frames.ts'
import type { Receivers } from './receivers.ts'
import type { Session } from './session.ts'

export interface Asked {
  /** The caller's subject. */
  readonly subject: string
  /** The NATS subject. */
  readonly address: string
  readonly payload: Uint8Array
  readonly headers?: MsgHdrs
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface Requests {
  ask(session: Session, asked: Asked): Promise<Message>
  /** Ends waiting requests with ReplyTimeout. */
  close(): void
}

interface Waiting {
  readonly session: Session
  readonly subject: string
  readonly resolve: (message: Message) => void
  readonly reject: (reason: unknown) => void
  /** The reply can no longer arrive, or is no longer waited for. */
  readonly expire: () => void
}

export interface RequestsOptions {
  readonly receivers: Receivers
  /** First words of the reply subject. */
  readonly inboxPrefix: string
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** The server's status if there is no responder. */
export const NO_RESPONDERS = 503

export function createRequests({ receivers, inboxPrefix, clock, onError }: RequestsOptions): Requests {
  const inbox = createInbox(inboxPrefix)
  const waiting = new Map<string, Waiting>()
  let count = 0
  let watched: Session | undefined

  /** A reply can be lost with the connection that carried the request: it may have run. */
  function watch(session: Session): void {
    watched = session
    session.ended.addEventListener('abort', () => expire(waiting, session), { once: true })
  }

  receivers.add({ subject: `${inbox}.*`, onError, take: (message) => settle(waiting, message, onError) })
  return {
    async ask(session, { subject, address, payload, headers, timeoutMs, signal }) {
      const token = (count++).toString(36)
      const { promise, resolve, reject } = Promise.withResolvers<Message>()
      const over = new AbortController()
      const abort = (): void => reject(signal?.reason)
      if (session !== watched) watch(session)
      const posting = session.post({ subject: address, payload, reply: `${inbox}.${token}`, ...omitUndefined({ headers }) }, over.signal)
      // A request that was not sent has not run.
      void posting.then((sent) => sent || reject(natsUnavailable(session.ended.reason ?? new Error('NATS accepts messages too slowly'))))
      const expire = (): void => {
        over.abort()
        void posting.then((sent) => sent && reject(new ReplyTimeout(subject)))
      }
      waiting.set(token, { session, subject, resolve, reject, expire })
      const disarm = clock.after(timeoutMs, () => reject(new ReplyTimeout(subject)))
      signal?.addEventListener('abort', abort)
      try {
        return await promise
      } finally {
        over.abort()
        waiting.delete(token)
        disarm()
        signal?.removeEventListener('abort', abort)
      }
    },
    close: () => expire(waiting),
  }
}

/** All, or those of one session. */
function expire(waiting: ReadonlyMap<string, Waiting>, of?: Session): void {
  for (const one of waiting.values()) {
    if (!of || one.session === of) one.expire()
  }
}

function settle(waiting: ReadonlyMap<string, Waiting>, message: Msg, onError: (error: unknown) => void): void {
  const asker = waiting.get(message.subject.slice(message.subject.lastIndexOf('.') + 1))
  if (!asker) return
  if (message.data.length === 0 && message.headers?.code === NO_RESPONDERS) return asker.reject(new NoResponder(asker.subject))
  try {
    asker.resolve(decodeFrame(message.data))
  } catch (error) {
    // The caller waits for its timeout, as for a reply that never came.
    onError(error)
  }
}
