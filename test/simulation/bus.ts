/**
 * The bus of a simulation: one server between all hosts. Messages between two hosts are in order, and may be late or lost; a reply may be
 * lost after the request was handled.
 * NATS delivers at most once, but a client that reconnects in the middle of a flush, or a leaf node, may duplicate a message. Then it comes
 * again after a while, requests as well as replies.
 */
import { createMessageDedup } from '../../src/adapters/shared/message-dedup.ts'
import { createSubjectTable, type SubjectTable } from '../../src/adapters/memory/subjects.ts'
import { ServerUnavailable } from '../../src/ports/server.ts'
import { NoResponder, ReplyTimeout, type Bus, type Message, type Subscription } from '../../src/ports/bus.ts'
import type { Host } from './host.ts'
import type { NetworkFaults } from './network-faults.ts'
import type { World } from './world.ts'

export interface BusServer {
  of(host: Host): Bus
  /** Subscribers that answer requests, on hosts that have not crashed. */
  responders(): readonly string[]
}

interface Receiver<Handler> {
  readonly host: Host
  readonly subject: string
  readonly handler: Handler
  /** The server knows a subscription a moment after it was made. */
  readonly sinceMs: number
  closed: boolean
}
type Listener = Receiver<(message: Message, subject: string) => void>
interface Responder extends Receiver<(message: Message, subject: string) => Promise<Message>> {
  /** Detects duplicates like the NATS adapter. */
  readonly isFirst: (request: string) => boolean
}

interface State {
  readonly world: World
  readonly networkFaults: NetworkFaults
  readonly listeners: SubjectTable<Listener>
  readonly responders: SubjectTable<Responder>
  readonly answering: Set<Responder>
  /** Arrival time of the last message from one host to another. */
  readonly arrivals: Map<string, number>
  readonly onError: (cause: unknown, host: Host) => void
  requests: number
}

/** Maximum delay of a duplicate. */
const AGAIN_WITHIN_MS = 2000
/** The server notices late that a computer has lost its power. */
const NOTICED_AFTER_MS = 3000

export function createBusServer(world: World, networkFaults: NetworkFaults, onError: State['onError']): BusServer {
  const tables = { listeners: createSubjectTable<Listener>(), responders: createSubjectTable<Responder>() }
  const state: State = { world, networkFaults, ...tables, answering: new Set(), arrivals: new Map(), onError, requests: 0 }
  return {
    of: (host) => busOf(state, host),
    responders: () => [...state.answering].filter(({ host }) => !host.crashed).map(({ subject }) => subject),
  }
}

function busOf(state: State, host: Host): Bus {
  const own = new Set<Subscription>()
  const isFirst = createMessageDedup()
  const kept = (subscription: Subscription): Subscription => {
    own.add(subscription)
    return subscription
  }
  return {
    publish(subject, message) {
      for (const listener of state.listeners.match(subject)) {
        carry(state, { from: host, to: listener.host, label: subject }, () => {
          if (!listener.closed && state.world.now() >= listener.sinceMs) listener.handler(message, subject)
        })
      }
    },
    subscribe: (subject, handler) => kept(add(state, state.listeners, { host, subject, handler })),
    respond(subject, handler) {
      const responder = { host, subject, handler, isFirst, sinceMs: knownAtMs(state), closed: false }
      const remove = state.responders.add(subject, responder)
      state.answering.add(responder)
      return kept({
        ready: ready(state, host, responder.sinceMs),
        close() {
          responder.closed = true
          state.answering.delete(responder)
          remove()
        },
      })
    },
    request: (subject, message, { timeoutMs, signal }) => request(state, host, { subject, message, timeoutMs, signal }),
    close: async () => own.forEach((subscription) => subscription.close()),
  }
}

const knownAtMs = ({ world }: State): number => world.now() + (world.chance(4) === 0 ? world.latencyMs() : 0)

function ready({ world }: State, host: Host, sinceMs: number): Promise<void> {
  if (sinceMs <= world.now()) return Promise.resolve()
  return new Promise((resolve) => void world.later(sinceMs - world.now(), host, 'subscribed', resolve))
}

type Given<Handler> = Pick<Receiver<Handler>, 'host' | 'subject' | 'handler'>

function add<Handler>(state: State, table: SubjectTable<Receiver<Handler>>, given: Given<Handler>): Subscription {
  const receiver = { ...given, sinceMs: knownAtMs(state), closed: false }
  const remove = table.add(given.subject, receiver)
  return {
    ready: ready(state, given.host, receiver.sinceMs),
    close() {
      receiver.closed = true
      remove()
    },
  }
}

interface Way {
  readonly from: Host
  readonly to: Host
  readonly label: string
}

/** Runs at the other host when the message arrives, if it does, and again when a duplicate arrives. */
function carry({ world, networkFaults, arrivals }: State, { from, to, label }: Way, run: () => void): void {
  if (from.cut || to.cut || from.crashed || world.chance(100) < networkFaults.lostMessages)
    return world.note(`lost ${label} from ${from.name}`)
  const link = `${from.name} ${to.name}`
  const lateMs = networkFaults.lateMessagesMs > 0 ? world.chance(networkFaults.lateMessagesMs) : 0
  const atMs = Math.max(world.now() + world.latencyMs() + lateMs, (arrivals.get(link) ?? 0) + 0.001)
  arrivals.set(link, atMs)
  const arrive = (): void => {
    if (!to.cut) run()
  }
  world.later(atMs - world.now(), to, label, arrive)
  if (networkFaults.doubledMessages === 0 || world.chance(100) >= networkFaults.doubledMessages) return
  // It may arrive after later messages.
  const afterMs = world.latencyMs() + (world.chance(4) === 0 ? world.chance(AGAIN_WITHIN_MS) : 0)
  world.later(atMs - world.now() + afterMs, to, `${label} again`, arrive)
}

interface Question {
  readonly subject: string
  readonly message: Message
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

async function request(state: State, host: Host, question: Question): Promise<Message> {
  const { subject, timeoutMs, signal } = question
  const { world } = state
  signal?.throwIfAborted()
  if (host.cut && world.chance(2) === 0) throw new ServerUnavailable('the bus')
  const { promise, resolve, reject } = Promise.withResolvers<Message>()
  const disarm = world.later(timeoutMs, host, `no answer on ${subject}`, () => reject(new ReplyTimeout(subject)))
  const abort = (): void => reject(signal?.reason)
  signal?.addEventListener('abort', abort)
  ask(state, host, { ...question, resolve, reject })
  try {
    return await promise
  } finally {
    disarm()
    signal?.removeEventListener('abort', abort)
  }
}

interface Asked extends Question {
  readonly resolve: (message: Message) => void
  readonly reject: (cause: unknown) => void
}

function ask(state: State, from: Host, { subject, message, resolve, reject }: Asked): void {
  const { world, onError } = state
  const responder = chosen(state, subject)
  if (!responder) return carry(state, { from, to: from, label: `nobody on ${subject}` }, () => reject(new NoResponder(subject)))
  const to = responder.host
  const request = `request ${++state.requests}`
  carry(state, { from, to, label: subject }, () => {
    if (!responder.isFirst(request)) return
    if (responder.closed) return carry(state, { from: to, to: from, label: `nobody on ${subject}` }, () => reject(new NoResponder(subject)))
    const answering = responder.handler(message, subject)
    answering.then(
      (answer) => carry(state, { from: to, to: from, label: `answer on ${subject}` }, () => resolve(answer)),
      (cause: unknown) => onError(cause, to),
    )
    world.note(`asked ${to.name} on ${subject}`)
  })
}

/** One of those that the server knows; it may have just crashed. */
function chosen({ world, responders }: State, subject: string): Responder | undefined {
  const there = responders
    .match(subject)
    .filter(
      ({ sinceMs, closed, host }) =>
        !closed && sinceMs <= world.now() && (!host.crashed || world.now() - host.unwellAtMs < NOTICED_AFTER_MS),
    )
  return there[world.chance(Math.max(1, there.length))]
}
