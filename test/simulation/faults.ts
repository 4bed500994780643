/** Plans the faults of a simulation: which, when and for how long. All of them end at a given time. */
import { crash, resume, type Host } from './host.ts'
import type { Program } from './program.ts'
import type { Cluster } from './cluster.ts'
import type { NetworkFaults } from './network-faults.ts'

/** The slots for the programs of a simulation; an ended program is replaced in its slot. */
export interface Place {
  program: Program
  readonly start: () => Program
}

interface Fault {
  readonly name: string
  /** Longest, in milliseconds. */
  readonly most: number
  begin(cluster: Cluster, place: Place): () => void
}

/** Recovery time before the end of the faults. */
const LEAST_MS = 300
const FAULTS_MAX = 6
/** Percentage of messages. */
const DOUBLED = 30

const onHost = (name: string, most: number, change: (host: Host, isOn: boolean, cluster: Cluster) => void): Fault => ({
  name,
  most,
  begin(cluster, { program: { host } }) {
    change(host, true, cluster)
    return () => {
      change(host, false, cluster)
      host.unwellAtMs = cluster.world.now()
    }
  },
})

const networkFault = (name: string, most: number, bad: Partial<NetworkFaults>, good: Partial<NetworkFaults>): Fault => ({
  name,
  most,
  begin({ networkFaults, world }) {
    Object.assign(networkFaults, bad)
    networkFaults.troubles++
    return () => {
      Object.assign(networkFaults, good)
      networkFaults.troubles--
      networkFaults.badAtMs = world.now()
    }
  },
})

const FAULTS: readonly Fault[] = [
  onHost('pause', 22_000, (host, isOn, { world }) => {
    if (isOn) host.paused = true
    else resume(world, host)
  }),
  onHost('cut', 12_000, (host, isOn) => void (host.cut = isOn)),
  {
    name: 'stall',
    most: 15_000,
    begin({ world }, { program: { host } }) {
      const untilMs = world.now() + LEAST_MS + world.chance(15_000)
      host.stalledUntilMs = untilMs
      return () => void (host.stalledUntilMs = Math.min(untilMs, world.now()))
    },
  },
  {
    name: 'crash',
    most: 8000,
    begin({ world }, place) {
      crash(world, place.program.host)
      return () => void (place.program = place.start())
    },
  },
  {
    name: 'restart',
    most: 4000,
    begin({ world }, place) {
      const { program } = place
      program.host.unwellAtMs = world.now()
      program.stop().catch((cause: unknown) => world.fail(`${program.host.name} cannot stop: ${String(cause)}`))
      return () => void (place.program = place.start())
    },
  },
  networkFault('store away', 5000, { storeAway: true }, { storeAway: false }),
  networkFault('leases away', 20_000, { leasesAway: true }, { leasesAway: false }),
  networkFault('log away', 3000, { logAway: true }, { logAway: false }),
  networkFault('unanswered appends', 8000, { unansweredAppends: 40 }, { unansweredAppends: 0 }),
  networkFault('lost messages', 10_000, { lostMessages: 30 }, { lostMessages: 0 }),
  networkFault('late messages', 10_000, { lateMessagesMs: 900 }, { lateMessagesMs: 0 }),
  {
    name: 'forgotten leases',
    most: 1000,
    begin({ leases }) {
      leases.forget()
      return () => {}
    },
  },
]

interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

/** Between two times. */
export function plan(cluster: Cluster, places: readonly Place[], { fromMs, untilMs }: Span): void {
  const { world, networkFaults } = cluster
  const chance = world.randomBelow('faults')
  networkFaults.brokenCommits = chance(3) === 0
  world.later(untilMs, null, 'fine commits', () => {
    if (networkFaults.brokenCommits) networkFaults.faultAtMs = world.now()
    networkFaults.brokenCommits = false
  })
  planDoubling(cluster, { fromMs, untilMs })
  for (let count = chance(FAULTS_MAX + 1); count > 0; count--) {
    const fault = FAULTS[chance(FAULTS.length)]
    const place = places[chance(places.length)]
    if (!fault || !place) continue
    const beginMs = fromMs + chance(untilMs - fromMs)
    const endMs = Math.min(untilMs, beginMs + LEAST_MS + chance(fault.most))
    world.later(beginMs, null, fault.name, () => befall(cluster, { fault, place, endMs }))
  }
}

/**
 * In half of the histories messages are duplicated for a while. This does not count as a fault: everything must work as if each came once.
 * It uses separate random choices, so that the other half keeps its histories.
 */
function planDoubling({ world, networkFaults }: Cluster, { fromMs, untilMs }: Span): void {
  const chance = world.randomBelow('messages twice')
  if (chance(2) === 0) return
  const beginMs = fromMs + chance(untilMs - fromMs)
  const endMs = Math.min(untilMs, beginMs + LEAST_MS + chance(untilMs - fromMs))
  world.later(beginMs, null, 'doubled messages', () => void (networkFaults.doubledMessages = DOUBLED))
  world.later(endMs, null, 'end of doubled messages', () => void (networkFaults.doubledMessages = 0))
}

/** A program that is not running has no further faults. */
function befall(cluster: Cluster, { fault, place, endMs }: { readonly fault: Fault; readonly place: Place; readonly endMs: number }): void {
  const { host } = place.program
  const { world, networkFaults } = cluster
  if (host.crashed || host.paused || isStopping.has(place)) return
  const stops = fault.name === 'restart' || fault.name === 'crash'
  if (stops) isStopping.add(place)
  world.note(`${fault.name} of ${host.name} until ${endMs}`)
  const end = fault.begin(cluster, place)
  networkFaults.faults++
  world.later(endMs - world.now(), null, `end of ${fault.name} of ${host.name}`, () => {
    if (stops) isStopping.delete(place)
    end()
    networkFaults.faults--
    networkFaults.faultAtMs = world.now()
  })
}

const isStopping = new WeakSet<Place>()
