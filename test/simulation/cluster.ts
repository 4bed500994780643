/** The site of a simulation: its servers, and functions that start programs of each kind on new hosts. */
import { views } from '../../projections/views/all.ts'
import { KEEP_OLD_MS, runProjectors } from '../../projections/projector/projectors.ts'
import { createViewGenerations } from '../../src/app/consistency/view-generations.ts'
import type { Report } from '../../src/ports/report.ts'
import type { StoredEvent } from '../../src/events/envelope.ts'
import { createWorkshop, startAgent, type Work, type Workshop } from './agent.ts'
import { startApiNode, type ApiNode } from './api-node.ts'
import { createBusServer } from './bus.ts'
import { createLogServer } from './event-log.ts'
import { createHost, type Host } from './host.ts'
import { createLeaseServer } from './leases.ts'
import { createFixedMedia, createFixedVault } from './ports.ts'
import { MOVIE_MS, MOVIES, playSeedLog } from './seed-log.ts'
import { enginesOf, noteProblem, type Program, type Servers } from './program.ts'
import { createStoreServer } from './read-store.ts'
import { noFaults } from './network-faults.ts'
import type { World } from './world.ts'

export interface Cluster extends Servers {
  readonly workshop: Workshop
  readonly startApiNode: (slot: string) => ApiNode
  readonly startProjector: (slot: string) => Program
  readonly startAgent: (slot: string) => Program
}

/** Clocks differ at most by twice this. */
export const SKEW_MAX_MS = 300

/** Settles when the initial log is written. `stored` is called for every event. */
export async function createCluster(world: World, stored: (events: readonly StoredEvent[]) => void): Promise<Cluster> {
  const networkFaults = noFaults()
  const servers = {
    world,
    networkFaults,
    log: createLogServer(world, networkFaults, stored),
    store: createStoreServer(world, networkFaults),
    bus: createBusServer(world, networkFaults, (cause, host) => noteProblem(world, host, cause)),
    leases: createLeaseServer(world, networkFaults),
  }
  await playSeedLog(servers.log.raw)
  const paths = MOVIES.map(({ path }) => path)
  const shared = { vault: createFixedVault(), media: createFixedMedia(paths, MOVIE_MS) }
  const workshop = createWorkshop()
  let hosts = 0
  const newHost = (slot: string): Host => createHost(`${slot}-${++hosts}`, world.chance(2 * SKEW_MAX_MS) - SKEW_MAX_MS)
  return {
    ...servers,
    workshop,
    startApiNode: (slot) => startApiNode({ ...servers, ...shared }, newHost(slot), hosts),
    startProjector: (slot) => startProjector(servers, newHost(slot)),
    startAgent: (slot) => startAgentOn(servers, newHost(slot), workshop),
  }
}

function startProjector(servers: Servers, host: Host): Program {
  const engines = enginesOf(servers, host)
  const stopping = new AbortController()
  const onError: Report = (cause, level) => void (level === 'info' || noteProblem(servers.world, host, cause))
  const running = runProjectors(
    { ...engines, generations: createViewGenerations(engines), views, onError, keepOldMs: KEEP_OLD_MS },
    stopping.signal,
  )
  running.catch(onError)
  return {
    host,
    async stop() {
      stopping.abort(new Error('The projector is stopping'))
      await running
      await engines.leases.close()
      await engines.bus.close()
    },
  }
}

function startAgentOn({ world, bus: server }: Servers, host: Host, workshop: Work): Program {
  const bus = server.of(host)
  const agent = startAgent(world, host, { bus, workshop, onError: (cause) => noteProblem(world, host, cause) })
  return {
    host,
    async stop() {
      await agent.close()
      await bus.close()
    },
  }
}
