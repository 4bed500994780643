/** Keeps subscriptions across losses of the connection until they are closed: each new session gets them again. */
import type { Msg } from 'nats'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { Subscription } from '../../ports/bus.ts'
import type { NatsConnection } from './connection.ts'
import type { Session } from './session.ts'

export interface ReceiverOptions {
  readonly subject: string
  readonly queue?: string
  readonly take: (message: Msg) => void
  /** Receives messages that were in flight when it was closed. */
  readonly late?: (message: Msg) => void
  readonly onError: (error: unknown) => void
}

export interface Receivers {
  /** `ready` settles when the server knows it, or when it is closed first. */
  add(options: ReceiverOptions): Subscription
  close(): void
}

interface Receiver extends ReceiverOptions {
  readonly ready: PromiseWithResolvers<void>
  unlisten: () => void
  closed: boolean
}

export function createReceivers(connection: NatsConnection): Receivers {
  const receivers = new Set<Receiver>()

  function attach(receiver: Receiver, session: Session): void {
    receiver.unlisten = session.listen(receiver.subject, {
      ...omitUndefined({ queue: receiver.queue }),
      take: (message) => {
        if (!receiver.closed) receiver.take(message)
        else receiver.late?.(message)
      },
      drains: receiver.late !== undefined,
      refused: receiver.onError,
    })
  }

  /** Retries while the server is silent; if the session ends, the next one starts over. */
  async function settle(session: Session, attached: readonly Receiver[]): Promise<void> {
    while (!session.ended.aborted) {
      const known = await session.flush().then(
        () => true,
        () => false,
      )
      if (known) return attached.forEach(({ ready }) => ready.resolve())
    }
  }

  const unfollow = connection.follow((session) => {
    for (const receiver of receivers) attach(receiver, session)
    if (receivers.size > 0) void settle(session, [...receivers])
  })

  function remove(receiver: Receiver): void {
    receiver.closed = true
    receivers.delete(receiver)
    receiver.unlisten()
    receiver.ready.resolve()
  }

  return {
    add(options) {
      const receiver: Receiver = { ...options, ready: Promise.withResolvers(), unlisten: () => {}, closed: false }
      receivers.add(receiver)
      const session = connection.current()
      if (session) {
        attach(receiver, session)
        void settle(session, [receiver])
      }
      return { ready: receiver.ready.promise, close: () => remove(receiver) }
    },
    close() {
      unfollow()
      for (const receiver of receivers) remove(receiver)
    },
  }
}
