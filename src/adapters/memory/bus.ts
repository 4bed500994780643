/**
 * Bus inside one process, used by the embedded server. Every delivery runs in a separate immediate, so that a publisher never runs a
 * subscriber's code, and each subscriber gets messages in the order of publishing.
 */
import type { Clock } from '../../ports/clock.ts'
import { MAX_BODY_BYTES, NoResponder, ReplyTimeout, type Bus, type Message, type Subscription } from '../../ports/bus.ts'
import { createSubjectTable, type SubjectTable } from './subjects.ts'

export interface LocalBusOptions {
  readonly clock: Clock
  /** Called with errors of handlers; the bus itself continues. */
  readonly onError?: (error: unknown, subject: string) => void
}

interface Receiver<Handler> {
  readonly handler: Handler
  closed: boolean
  /** Deliveries in flight; beyond the limit a message is dropped, as the bus permits. */
  waiting: number
  /** Turn of its last request: the one that has waited longest is next. */
  turn: number
}
type Listener = Receiver<(message: Message, subject: string) => void>
type Responder = Receiver<(message: Message, subject: string) => Promise<Message>>

interface State extends LocalBusOptions {
  readonly listeners: SubjectTable<Listener>
  readonly responders: SubjectTable<Responder>
  /** Ends pending requests when the bus closes. */
  readonly closing: AbortController
  turn: number
}

const MAX_WAITING = 10_000

export function createLocalBus(options: LocalBusOptions): Bus {
  const state: State = {
    ...options,
    listeners: createSubjectTable(),
    responders: createSubjectTable(),
    closing: new AbortController(),
    turn: 0,
  }
  return {
    publish: (subject, message) => publish(state, subject, message),
    subscribe: (subject, handler) => add(state, state.listeners, subject, handler),
    respond: (subject, handler) => add(state, state.responders, subject, handler),
    request: (subject, message, waiting) => request(state, { subject, message, ...waiting }),
    async close() {
      state.closing.abort()
      state.listeners.clear()
      state.responders.clear()
    },
  }
}

function add<Handler>(state: State, table: SubjectTable<Receiver<Handler>>, subject: string, handler: Handler): Subscription {
  if (state.closing.signal.aborted) throw new Error('The bus is closed')
  const receiver = { handler, closed: false, waiting: 0, turn: 0 }
  const remove = table.add(subject, receiver)
  return {
    ready: Promise.resolve(),
    close() {
      receiver.closed = true
      remove()
    },
  }
}

function publish(state: State, subject: string, message: Message): void {
  checkBody(message)
  for (const listener of state.listeners.match(subject)) {
    deliver(state, listener, () => {
      try {
        listener.handler(message, subject)
      } catch (error) {
        state.onError?.(error, subject)
      }
    })
  }
}

interface Asked {
  readonly subject: string
  readonly message: Message
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

async function request(state: State, asked: Asked): Promise<Message> {
  const { subject, timeoutMs, signal } = asked
  checkBody(asked.message)
  signal?.throwIfAborted()
  const responder = nextResponder(state, subject)
  if (!responder) throw new NoResponder(subject)

  const { promise, resolve, reject } = Promise.withResolvers<Message>()
  const expire = (): void => reject(new ReplyTimeout(subject))
  const abort = (): void => reject(signal?.reason)
  const disarm = state.clock.after(timeoutMs, expire)
  signal?.addEventListener('abort', abort)
  state.closing.signal.addEventListener('abort', expire)
  deliver(
    state,
    responder,
    () => void answer(state, responder, asked, resolve),
    () => reject(new NoResponder(subject)),
  )
  try {
    return await promise
  } finally {
    disarm()
    signal?.removeEventListener('abort', abort)
    state.closing.signal.removeEventListener('abort', expire)
  }
}

/** Passes on the reply; if the handler throws, no reply is sent, and the caller waits for its timeout. */
async function answer(state: State, responder: Responder, { subject, message }: Asked, reply: (message: Message) => void): Promise<void> {
  try {
    const answered = await responder.handler(message, subject)
    checkBody(answered)
    reply(answered)
  } catch (error) {
    state.onError?.(error, subject)
  }
}

function nextResponder(state: State, subject: string): Responder | undefined {
  const next = state.responders
    .match(subject)
    .reduce<Responder | undefined>((best, one) => (best && best.turn <= one.turn ? best : one), undefined)
  if (next) next.turn = ++state.turn
  return next
}

/** `closed`: called instead if the receiver has closed in the meantime. */
function deliver(state: State, receiver: Receiver<unknown>, run: () => void, closed = () => {}): void {
  if (receiver.waiting >= MAX_WAITING) return
  receiver.waiting++
  setImmediate(() => {
    receiver.waiting--
    if (state.closing.signal.aborted) return
    if (receiver.closed) closed()
    else run()
  })
}

function checkBody(message: Message): void {
  const sizeBytes = message.body?.byteLength ?? 0
  if (sizeBytes > MAX_BODY_BYTES) throw new RangeError(`A body of ${sizeBytes} bytes, ${MAX_BODY_BYTES} are allowed`)
}
