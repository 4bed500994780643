/** The event log of a simulation: one server for all hosts, whose replies and notifications may be lost or late. */
import { createMemoryEventLog } from '../../src/adapters/memory/event-log.ts'
import type { EncodedEvent, StoredEvent } from '../../src/events/envelope.ts'
import { START, type Position } from '../../src/events/position.ts'
import { ServerUnavailable } from '../../src/ports/server.ts'
import { OutcomeUnknown, type Appended, type EventLog, type Expected } from '../../src/ports/event-log.ts'
import { callServer, silence, type Host } from './host.ts'
import type { NetworkFaults } from './network-faults.ts'
import type { World } from './world.ts'

const PAGE = 500

export interface LogServer {
  /** All stored events, in order. */
  readonly all: readonly StoredEvent[]
  /** The log itself, without a network. */
  readonly raw: EventLog
  /** The log as a host sees it. */
  of(host: Host): EventLog
}

interface Follower {
  readonly host: Host
  wake: () => void
  isReportedSoon: boolean
}

interface State {
  readonly world: World
  readonly networkFaults: NetworkFaults
  readonly raw: EventLog
  readonly all: StoredEvent[]
  readonly followers: Set<Follower>
  readonly stored: (events: readonly StoredEvent[]) => void
}

/** `stored` is called for every event once it is stored. */
export function createLogServer(world: World, networkFaults: NetworkFaults, stored: State['stored']): LogServer {
  const raw = createMemoryEventLog()
  const state: State = { world, networkFaults, raw, all: [], followers: new Set(), stored }
  const own: EventLog = { ...raw, append: (stream, expected, events) => append(state, stream, expected, events) }
  return { all: state.all, raw: own, of: (host) => logOf(state, host) }
}

function logOf(state: State, host: Host): EventLog {
  const { world, raw, all } = state
  const asked = <Answer>(work: () => Promise<Answer>): Promise<Answer> =>
    state.networkFaults.logAway ? silence(world, host, { ms: 300, cause: new ServerUnavailable('the log') }) : callServer(world, host, work)
  return {
    append: (stream, expected, events) => sendAppend(state, host, { stream, expected, events }),
    async *read(stream, from) {
      yield* await asked(() => gathered(raw.read(stream, from)))
    },
    head: () => asked(async () => all.at(-1)?.position ?? START),
    follow: (after, signal) => follow(state, host, { after, signal }),
    close: async () => {},
  }
}

async function gathered<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

/** Stores the events, and notifies all subscribers. */
async function append(state: State, stream: string, expected: Expected, events: readonly EncodedEvent[]): Promise<Appended> {
  const { world, raw, all } = state
  const known = all.length
  const appended = await raw.append(stream, expected, events)
  const { position = START, revision } = appended
  if (Number(position) <= known) return { revision }
  const first = Number(position) - events.length
  const stored = events.map((event, n) => {
    return { ...event, stream, revision: revision - events.length + 1 + n, position: String(first + n + 1).padStart(20, '0') as Position }
  })
  all.push(...stored)
  for (const { type, metadata } of stored) world.note(`stored ${type} ${stream.slice(0, 30)} by ${metadata.node}`)
  state.stored(stored)
  for (const follower of state.followers) tellSoon(state, follower)
  return appended
}

interface Append {
  readonly stream: string
  readonly expected: Expected
  readonly events: readonly EncodedEvent[]
}

function sendAppend(state: State, host: Host, { stream, expected, events }: Append): Promise<Appended> {
  const { world, networkFaults } = state
  const work = () => append(state, stream, expected, events)
  if (networkFaults.logAway && world.chance(2) === 0) return silence(world, host, { ms: 5, cause: new ServerUnavailable('the log') })
  if (!networkFaults.logAway && world.chance(100) >= networkFaults.unansweredAppends) return callServer(world, host, work)
  const storedAfterMs = [null, 1, 400, 4000][world.chance(networkFaults.logAway ? 1 : 4)] ?? null
  // The reply is lost.
  if (storedAfterMs !== null) world.later(storedAfterMs, null, 'unheard append', () => void work().catch(() => {}))
  return silence(world, host, { ms: 200 + world.chance(1500), cause: new OutcomeUnknown('No answer') })
}

function tellSoon({ world }: State, follower: Follower): void {
  if (follower.isReportedSoon) return
  follower.isReportedSoon = true
  const ms = Math.max(world.latencyMs(), follower.host.stalledUntilMs - world.now())
  world.later(ms, follower.host, 'new events', () => {
    follower.isReportedSoon = false
    follower.wake()
  })
}

interface Following {
  readonly after: Position
  readonly signal: AbortSignal
}

async function* follow(state: State, host: Host, { after, signal }: Following): AsyncGenerator<readonly StoredEvent[]> {
  const { world, all, followers } = state
  const follower: Follower = { host, wake: () => {}, isReportedSoon: false }
  const wake = (): void => follower.wake()
  let next = Number(after)
  followers.add(follower)
  signal.addEventListener('abort', wake)
  try {
    while (!signal.aborted) {
      const batch = world.now() < host.stalledUntilMs ? [] : all.slice(next, next + PAGE)
      next += batch.length
      if (batch.length > 0) yield batch
      else {
        const woken = new Promise<void>((resolve) => void (follower.wake = resolve))
        if (next < all.length) tellSoon(state, follower)
        await woken
      }
    }
  } finally {
    followers.delete(follower)
    signal.removeEventListener('abort', wake)
  }
}
