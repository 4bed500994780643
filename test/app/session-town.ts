/** One playback session and the nodes that may have it: hosts on a shared log, bus and table of leases, each to be held or killed. */
import { createLocalBus } from '../../src/adapters/memory/bus.ts'
import { createTestClock, type TestClock } from '../../src/adapters/memory/clock.ts'
import { createMemoryEventLog } from '../../src/adapters/memory/event-log.ts'
import { createTestIds } from '../../src/adapters/memory/ids.ts'
import { createLeaseTable, createMemoryLeases, type LeaseTable } from '../../src/adapters/memory/leases.ts'
import { createMemoryVault } from '../../src/adapters/memory/vault.ts'
import { createCommander } from '../../src/app/commands/commander.ts'
import { createIdleClock, type IdleClock } from '../../src/app/access/idle-clock.ts'
import { createSealer } from '../../src/app/commands/sealer.ts'
import { createSessionHost, type SessionHost } from '../../src/app/playback/session-host.ts'
import type { SessionCommand, SessionReply } from '../../src/app/playback/session-protocol.ts'
import type { EventOf } from '../../src/events/catalogue.ts'
import { decode } from '../../src/events/codec.ts'
import type { RecordedEvent } from '../../src/events/recorded.ts'
import { playbackStream } from '../../src/events/streams.ts'
import type { Bus, Subscription } from '../../src/ports/bus.ts'
import type { EventLog } from '../../src/ports/event-log.ts'
import { named } from '../names.ts'
import { all } from '../ports/event-log-contract.ts'

export const HOUR_MS = 3_600_000
export const key = { sessionId: named<'session'>('evening'), userId: named<'user'>('ann'), movieId: named<'movie'>('metropolis') }
export const author = { actor: `user:${key.userId}`, command: 'test' }
export const started: EventOf<'PlaybackStarted'> = {
  type: 'PlaybackStarted',
  data: {
    ...key,
    loginId: named('phone'),
    libraryId: named('films'),
    fileId: named('1080p'),
    positionMs: 0,
    durationMs: HOUR_MS,
    client: null,
    method: 'remux',
    reasons: [],
    idleSeconds: 120,
  },
}

export interface Town {
  readonly clock: TestClock
  readonly log: EventLog
  readonly bus: Bus
  readonly table: LeaseTable
  /** Hears of heartbeats what a test tells it. */
  readonly idle: IdleClock
}

export function makeTown(changed: Partial<Town> = {}): Town {
  const clock = changed.clock ?? createTestClock()
  const idle = createIdleClock({ clock, behindMs: () => 0 })
  return { clock, log: createMemoryEventLog(), bus: createLocalBus({ clock }), table: createLeaseTable(), idle, ...changed }
}

let nodes = 0

export function makeHost({ clock, log, bus, table, idle }: Town, node: string) {
  const leases = createMemoryLeases({ clock, table })
  const ids = createTestIds({ series: (nodes++ % 16).toString(16) })
  const commander = createCommander({ log, clock, ids, sealer: createSealer(createMemoryVault()), node })
  const line = createLine(bus)
  return {
    host: createSessionHost({ bus: line.bus, clock, commander, idle, leases, node }),
    leases,
    /** As SIGSTOP: it renews and answers nothing, but whoever asks it is not told so. */
    hold(): void {
      leases.stall()
      line.hold()
    },
    resume(): void {
      leases.resume()
      line.resume()
    },
    /** As SIGKILL: nobody listens any more, and what it held lapses. */
    kill(): void {
      leases.stall()
      line.cut()
    },
    /** Answers from now on get lost. */
    loseAnswers: line.loseAnswers,
  }
}

/** A node's own way to the bus. While it is held nothing reaches it, and what it closes is closed when it goes on. */
function createLine(bus: Bus) {
  const subscriptions = new Set<Subscription>()
  let gate = Promise.withResolvers<void>()
  let losing = false
  gate.resolve()
  const respond: Bus['respond'] = (subject, handler) => {
    const subscription = bus.respond(subject, async (message, at) => {
      await gate.promise
      const answer = await handler(message, at)
      return losing ? new Promise(() => {}) : answer
    })
    subscriptions.add(subscription)
    return { ready: subscription.ready, close: () => void gate.promise.then(() => subscription.close()) }
  }
  return {
    bus: { ...bus, respond },
    hold: () => void (gate = Promise.withResolvers()),
    resume: () => gate.resolve(),
    cut: () => subscriptions.forEach((subscription) => subscription.close()),
    loseAnswers: () => void (losing = true),
  }
}

/** The log, whose appends of events that the test takes wait until they are let go. */
export function withHeldAppends(inner: EventLog, isHeld: (types: readonly string[]) => boolean) {
  const gate = Promise.withResolvers<void>()
  let held = 0
  const append: EventLog['append'] = async (stream, expected, events) => {
    if (isHeld(events.map(({ type }) => type))) {
      held++
      await gate.promise
    }
    return inner.append(stream, expected, events)
  }
  return { log: { ...inner, append }, held: () => held, letGo: () => gate.resolve() }
}

export const send = (host: SessionHost, command: SessionCommand): Promise<SessionReply> => host.send(key.sessionId, { command, author })
export const beat = (host: SessionHost, positionMs: number, sequence?: number): Promise<SessionReply> =>
  send(host, { type: 'beat', beat: { positionMs, ...(sequence === undefined ? {} : { sequence }) } })
export const end = (host: SessionHost): Promise<SessionReply> => send(host, { type: 'end', reason: 'client' })

export async function streamOf(
  { log }: Pick<Town, 'log'>,
  stream: string = playbackStream(key.sessionId),
): Promise<readonly RecordedEvent[]> {
  return (await all(log.read(stream))).map(decode).filter((event) => event !== undefined)
}

/** Types and what tells them apart: node of an adoption, position of the rest. */
export async function told(town: Pick<Town, 'log'>): Promise<readonly string[]> {
  return (await streamOf(town)).map(
    ({ type, data }) => `${type} ${'node' in data ? data.node : 'positionMs' in data ? data.positionMs : ''}`,
  )
}
