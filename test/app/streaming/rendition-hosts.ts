/** Nodes with a rendition host each, on one bus and one lease table, with a scripted agent, for the tests of ownership. */
import { createLocalBus } from '../../../src/adapters/memory/bus.ts'
import { createTestClock, type TestClock } from '../../../src/adapters/memory/clock.ts'
import { createSystemIds } from '../../../src/adapters/node/ids.ts'
import { createLeaseTable, createMemoryLeases, type LeaseTable, type MemoryLeases } from '../../../src/adapters/memory/leases.ts'
import { createAgentDirectory } from '../../../src/app/streaming/agents/agent-directory.ts'
import { createRenditionHost, type RenditionHost, type RenditionTarget } from '../../../src/app/streaming/renditions/rendition-host.ts'
import { createSegmentCache } from '../../../src/app/streaming/segments/segment-cache.ts'
import type { NodeRendition } from '../../../src/app/streaming/renditions/node-rendition.ts'
import { planStreams } from '../../../src/domain/streaming/plan.ts'
import type { Rendition } from '../../../src/domain/streaming/rendition.ts'
import { MAX_BODY_BYTES, ReplyTimeout, type Bus, type Subscription } from '../../../src/ports/bus.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import { mediaFile } from '../../fixtures/media-descriptions.ts'
import { scriptAgent, audioOf, watch, type Asked, type ScriptedAgent, type ScriptedJob } from '../../fixtures/scripted-agent.ts'

export interface HostNode {
  readonly host: RenditionHost
  readonly rendition: NodeRendition
  readonly leases: MemoryLeases
  readonly line: Line
  readonly problems: string[]
  /** A viewer's request, observed. */
  ask(segment: number, viewer?: string): Asked
  init(viewer?: string): Asked
  /** Changes what the next requests are for, like a scan that finds the film renamed. */
  retarget(changes: Partial<RenditionTarget>): void
}

/** A node's connection to the bus. */
export interface Line {
  readonly bus: Bus
  /** Subjects of the sent requests, without the names of renditions and nodes. */
  readonly asked: string[]
  /** Open subscriptions. */
  readonly open: Set<Subscription>
  /** `away`: the bus is unreachable; `frozen`: messages to the node get no reply. */
  state: 'well' | 'away' | 'frozen'
  /** This many of the next requests for parts get lost. */
  loseParts: number
  /** Like a killed process. */
  cut(): void
}

export interface Hosts extends ScriptedAgent {
  readonly clock: TestClock
  readonly bus: Bus
  readonly table: LeaseTable
  readonly nodes: readonly HostNode[]
  close(): Promise<void>
}

export interface HostsOptions {
  readonly rendition?: Rendition
  readonly memoryBytes?: number
  readonly userOf?: (sessionId: string) => string | undefined
}

export const FILM = { fileId: 'film', path: '/film.mkv', fingerprint: 'film', stamp: { sizeBytes: 1, modifiedAtMs: 0 } }

/** Waits for the newest job, and sends its init segment and a first segment. */
export const sends = async (hosts: Hosts, segment: number, text?: string): Promise<ScriptedJob> => {
  await hosts.clock.advance(100)
  const job = hosts.newest()
  await job.segment(segment, text)
  await hosts.clock.settle()
  return job
}

/** Each byte encodes its offset, so that no two parts are equal. */
export const large = (sizeBytes: number): Buffer =>
  Buffer.from(Uint32Array.from({ length: Math.ceil(sizeBytes / 4) }, (_, at) => at).buffer, 0, sizeBytes)

export async function sendLarge(job: ScriptedJob, segment: number, bytes: Buffer): Promise<void> {
  const parts = Math.ceil(bytes.byteLength / MAX_BODY_BYTES)
  for (let part = 0; part < parts; part++) {
    await job.say({ type: 'segment', segment, part, parts, workMs: 1 }, bytes.subarray(part * MAX_BODY_BYTES, (part + 1) * MAX_BODY_BYTES))
  }
}

export function openHosts(count: number, options: HostsOptions = {}): Hosts {
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  const table = createLeaseTable()
  const agent = scriptAgent({ bus, clock })
  const nodes = Array.from({ length: count }, (_, index) => openNode(`node-${index}`, { ...options, clock, bus, table }))
  return Object.assign(agent, {
    clock,
    bus,
    table,
    nodes,
    async close() {
      await Promise.all(nodes.map(({ host }) => host.close()))
      // Their last messages are in flight.
      await clock.settle()
      await bus.close()
    },
  })
}

interface Shared extends HostsOptions {
  readonly clock: TestClock
  readonly bus: Bus
  readonly table: LeaseTable
}

function openNode(name: string, { clock, bus, table, rendition = audioOf(20), memoryBytes = 100_000_000, userOf }: Shared): HostNode {
  const line = openLine(bus)
  const leases = createMemoryLeases({ clock, table })
  const problems: string[] = []
  const host = createRenditionHost(
    {
      bus: line.bus,
      clock,
      ids: createSystemIds(),
      leases,
      node: name,
      signSource: () => '',
      ...(userOf ? { userOf } : {}),
      onError: (cause) => problems.push(cause.message),
    },
    { directory: createAgentDirectory({ bus, clock }), cache: createSegmentCache({ memoryBytes }) },
  )
  const plan = planStreams(mediaFile(), undefined)
  let target: RenditionTarget = { file: FILM, plan, rendition }
  const found = () => host.find(target)
  return {
    host,
    get rendition() {
      return found()
    },
    leases,
    line,
    problems,
    ask: (segment, viewer = 'ann') => watch((signal) => found().segment(segment, { viewer, signal })),
    retarget: (changes) => void (target = { ...target, ...changes }),
    init: (viewer = 'ann') => watch((signal) => found().init({ viewer, signal })),
  }
}

function openLine(bus: Bus): Line {
  const line: Line = {
    asked: [],
    open: new Set(),
    state: 'well',
    loseParts: 0,
    cut() {
      line.state = 'away'
      for (const subscription of line.open) subscription.close()
    },
    bus: {
      ...bus,
      publish: (subject, message) => line.state === 'well' && bus.publish(subject, message),
      respond: (subject, handler) =>
        count(
          line,
          bus.respond(subject, async (message) => (line.state === 'frozen' ? new Promise(() => undefined) : handler(message, subject))),
        ),
      subscribe: (subject, handler) => count(line, bus.subscribe(subject, handler)),
      async request(subject, message, waiting) {
        const { type } = message.head
        line.asked.push(`${subject.split('.')[0]} ${typeof type === 'string' ? type : ''}`)
        if (line.state !== 'well') throw new ServerUnavailable('NATS')
        if (subject.endsWith('.parts') && line.loseParts-- > 0) throw new ReplyTimeout(subject)
        return bus.request(subject, message, waiting)
      },
    },
  }
  return line
}

function count(line: Line, subscription: Subscription): Subscription {
  const counted = {
    ready: subscription.ready,
    close() {
      line.open.delete(counted)
      subscription.close()
    },
  }
  line.open.add(counted)
  return counted
}
