/** Starts the programs of a simulation, each on its own host, on the shared servers. */
import { createHostClock, type Host } from './host.ts'
import type { BusServer } from './bus.ts'
import type { LogServer } from './event-log.ts'
import type { LeaseServer } from './leases.ts'
import type { StoreServer } from './read-store.ts'
import type { NetworkFaults } from './network-faults.ts'
import type { World } from './world.ts'

export interface Program {
  readonly host: Host
  /** Ends it like a signal. */
  stop(): Promise<void>
}

export interface Servers {
  readonly world: World
  readonly networkFaults: NetworkFaults
  readonly log: LogServer
  readonly store: StoreServer
  readonly bus: BusServer
  readonly leases: LeaseServer
}

/** The servers as a host sees them. */
export const enginesOf = ({ log, store, bus, leases, world }: Servers, host: Host) => ({
  log: log.of(host),
  store: store.of(host),
  bus: bus.of(host),
  leases: leases.of(host),
  clock: createHostClock(world, host),
  servers: [{ name: 'a server', check: async () => {} }],
  close: async () => {},
})

/** Records a program's error, unless an unavailable server explains it. */
export function noteProblem(world: World, host: Host, cause: unknown): void {
  const text = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  world.note(`${host.name} has a problem: ${text}`)
  const isOwn = cause instanceof TypeError || cause instanceof RangeError || cause instanceof ReferenceError
  if (isOwn) world.fail(`${host.name}: ${cause.stack}`)
}
