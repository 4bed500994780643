/**
 * Bus over NATS core. Messages and requests have separate subjects below the installation's prefix (`marquee.event.<subject>`,
 * `marquee.ask.<subject>`), since for NATS every subscriber is a responder. All responders are one queue group, so one gets each request.
 */
import { headers, type Msg, type MsgHdrs } from 'nats'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { NoResponder, type Bus, type Message } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'
import type { CarriedContext } from '../../ports/carried-context.ts'
import { createMessageDedup } from '../shared/message-dedup.ts'
import type { NatsConnection } from './connection.ts'
import { decodeFrame, encodeFrame } from './frames.ts'
import { createReceivers, type Receivers } from './receivers.ts'
import { createRequests, NO_RESPONDERS, type Requests } from './requests.ts'
import { checkPattern, checkSubject } from './subjects.ts'

export interface NatsBusOptions {
  readonly connection: NatsConnection
  readonly clock: Clock
  /** Called with errors of handlers and unreadable messages; the bus itself continues. */
  readonly onError?: (error: unknown, subject: string) => void
  /** Go with requests, by the names of their headers, which older programs ignore. Default: none. */
  readonly contexts?: Readonly<Record<string, CarriedContext>>
}

export interface NatsBus extends Bus {
  /** Messages that this program dropped: NATS was unavailable or too slow, or a responder had too many. */
  dropped(): number
}

interface State {
  readonly connection: NatsConnection
  readonly receivers: Receivers
  readonly requests: Requests
  /** By reply subject, which is unique to each request. */
  readonly isFirst: (reply: string) => boolean
  readonly onError: (error: unknown, subject: string) => void
  readonly contexts: readonly (readonly [header: string, context: CarriedContext])[]
  readonly events: string
  readonly asks: string
  dropped: number
  closed: boolean
}

type Handler = (message: Message, subject: string) => void
type Answerer = (message: Message, subject: string) => Promise<Message>

const QUEUE = 'responders'
/** Most concurrent requests of one responder; further ones are dropped. */
const MAX_RUNNING = 10_000

export function createNatsBus({ connection, clock, onError = () => {}, contexts = {} }: NatsBusOptions): NatsBus {
  const receivers = createReceivers(connection)
  const state: State = {
    connection,
    receivers,
    requests: createRequests({
      receivers,
      inboxPrefix: connection.inboxPrefix,
      clock,
      onError: (error) => onError(error, 'an answer'),
    }),
    isFirst: createMessageDedup(),
    onError,
    contexts: Object.entries(contexts),
    events: `${connection.prefix}.event.`,
    asks: `${connection.prefix}.ask.`,
    dropped: 0,
    closed: false,
  }
  return {
    publish: (subject, message) => publish(state, subject, message),
    subscribe: (subject, handler) => subscribe(state, subject, handler),
    respond: (subject, handler) => respond(state, subject, handler),
    request: (subject, message, waiting) => request(state, { subject, message, ...waiting }),
    dropped: () => state.dropped,
    async close() {
      state.closed = true
      state.requests.close()
      receivers.close()
    },
  }
}

function publish(state: State, subject: string, message: Message): void {
  const address = `${state.events}${checkSubject(subject)}`
  if (!state.closed && !state.connection.current()?.send({ subject: address, payload: encodeFrame(message) })) state.dropped++
}

function subscribe(state: State, pattern: string, handler: Handler): ReturnType<Bus['subscribe']> {
  return listen(state, `${state.events}${checkPattern(pattern)}`, {
    take({ data, subject: address }) {
      const subject = address.slice(state.events.length)
      try {
        handler(decodeFrame(data), subject)
      } catch (error) {
        state.onError(error, subject)
      }
    },
  })
}

function respond(state: State, pattern: string, handler: Answerer): ReturnType<Bus['respond']> {
  let running = 0
  const work = async (asked: Msg): Promise<void> => {
    running++
    try {
      await answer(state, asked, handler)
    } catch (error) {
      state.onError(error, asked.subject.slice(state.asks.length))
    } finally {
      running--
    }
  }
  // A duplicate is answered once. This holds also if the responder closes in between: its refusal would claim that nothing ran.
  const once = (take: (asked: Msg) => void) => (asked: Msg) => {
    if (!asked.reply || state.isFirst(asked.reply)) take(asked)
  }
  return listen(state, `${state.asks}${checkPattern(pattern)}`, {
    queue: QUEUE,
    take: once((asked) => {
      if (running < MAX_RUNNING) void work(asked)
      else state.dropped++
    }),
    late: once(refuseLate),
  })
}

/** Requests that reach a closed responder are answered as if nobody were there, so that the caller need not wait for its timeout. */
function refuseLate(asked: Msg): void {
  asked.respond(new Uint8Array(), { headers: headers(NO_RESPONDERS, 'No Responders') })
}

interface Listening {
  readonly queue?: string
  readonly take: (message: Msg) => void
  readonly late?: (message: Msg) => void
}

function listen(state: State, subject: string, listening: Listening): ReturnType<Bus['subscribe']> {
  if (state.closed) throw new Error('The bus is closed')
  return state.receivers.add({ ...listening, subject, onError: (error) => state.onError(error, subject) })
}

function carriedHeaders({ contexts }: State): MsgHdrs | undefined {
  let carried: MsgHdrs | undefined
  for (const [header, context] of contexts) {
    const current = context.current()
    if (current !== undefined) (carried ??= headers()).set(header, current)
  }
  return carried
}

/** Runs it in the contexts of the program that asks. */
function inCarried<Result>({ contexts }: State, carried: MsgHdrs, work: () => Result): Result {
  const within = contexts.reduce((inner, [header, context]) => {
    const value = carried.get(header)
    return value === '' ? inner : () => context.within(value, inner)
  }, work)
  return within()
}

/** If the handler throws, no reply is sent, and the caller waits for its timeout. */
async function answer(state: State, { data, subject, reply, headers: carried }: Msg, handler: Answerer): Promise<void> {
  const work = () => handler(decodeFrame(data), subject.slice(state.asks.length))
  const payload = encodeFrame(await (carried ? inCarried(state, carried, work) : work()))
  const session = state.connection.current()
  if (reply && !state.closed && !(await session?.post({ subject: reply, payload }))) state.dropped++
}

interface Request {
  readonly subject: string
  readonly message: Message
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

async function request(state: State, { message, ...asked }: Request): Promise<Message> {
  const payload = encodeFrame(message)
  const carried = carriedHeaders(state)
  const address = `${state.asks}${checkSubject(asked.subject)}`
  asked.signal?.throwIfAborted()
  if (state.closed) throw new NoResponder(asked.subject)
  const session = state.connection.current() ?? (await state.connection.session(asked.timeoutMs))
  asked.signal?.throwIfAborted()
  return state.requests.ask(session, { ...asked, address, payload, ...omitUndefined({ headers: carried }) })
}
