/** Runs one simulation from its seed: the site, its users, its faults, and the final checks. */
import { administer, comeAndGo } from './admin.ts'
import { plan, type Place } from './faults.ts'
import { checkEnd } from './end-checks.ts'
import { createApiNodes } from './api-nodes.ts'
import { createExpectations } from './expectations.ts'
import { mark } from './marker.ts'
import { probe } from './probe.ts'
import { LIBRARIES, LOGINS, type Login } from './seed-log.ts'
import { IDLE_SECONDS, type ApiNode } from './api-node.ts'
import { createCluster, type Cluster } from './cluster.ts'
import { createLogFacts } from './log-facts.ts'
import { watch, type Play } from './viewer.ts'
import { createWorld, type World } from './world.ts'

export interface Verdict {
  readonly seed: number
  readonly failures: readonly string[]
  /** The same for the same history. */
  readonly digest: string
  readonly steps: number
  readonly events: number
  readonly acknowledged: number
  readonly segments: number
}

const FAULTS_FROM_MS = 1000
const FAULTS_UNTIL_MS = 18_000
const LOAD_UNTIL_MS = 24_000
/** After the last command: the idle timeout, the sweep interval, and the longest retry delay. */
const SETTLED_MS = LOAD_UNTIL_MS + (IDLE_SECONDS + 5 + 13) * 1000
const PROBED_MS = LOAD_UNTIL_MS + 13_000
/** Longer than an agent works for a silent owner. */
const WITHOUT_OWNERS_MS = SETTLED_MS + 12_000
const STOPPED_MS = WITHOUT_OWNERS_MS + 8000

export async function simulate(seed: number, tell?: (line: string) => void): Promise<Verdict> {
  const world = createWorld(seed, tell)
  const facts = createLogFacts(world, LIBRARIES)
  const unhandled = (cause: unknown): void => world.fail(`nobody handles ${cause instanceof Error ? cause.stack : String(cause)}`)
  process.on('unhandledRejection', unhandled)
  try {
    const cluster = await createCluster(world, facts.stored)
    const { apiPlaces, ...populace } = populate(cluster)
    const expectations = createExpectations(world, facts)
    const fixture = createApiNodes(cluster, () => apiPlaces.map(({ program }) => program))
    plan(cluster, [...populace.others, ...populace.agents], { fromMs: FAULTS_FROM_MS, untilMs: FAULTS_UNTIL_MS })
    const served = { segments: 0 }
    const play = {
      fixture,
      expectations,
      chance: world.randomBelow('probe'),
      served,
      forms: new Map(),
      isOn: () => world.now() < LOAD_UNTIL_MS,
    }
    startLoad(play)
    world.later(PROBED_MS, null, 'probe', () => begin(play, probe(play)))
    await world.runUntil(SETTLED_MS)
    const acknowledged = expectations.close()
    await checkEnd({ cluster, facts, nodes: apiPlaces.map(({ program }) => program) })
    await stopAll(cluster, populace)
    return {
      seed,
      failures: world.failures,
      digest: world.digest(),
      steps: world.steps(),
      events: facts.events.length,
      acknowledged,
      ...served,
    }
  } finally {
    process.off('unhandledRejection', unhandled)
  }
}

interface ApiPlace extends Place {
  program: ApiNode
}

interface Populace {
  readonly agents: readonly Place[]
  /** API nodes and projectors. */
  readonly others: readonly Place[]
}

function populate(cluster: Cluster): Populace & { readonly apiPlaces: readonly ApiPlace[] } {
  const startApi = (slot: string) => () => cluster.startApiNode(slot)
  const startProjector = () => cluster.startProjector('projector')
  const slots = cluster.world.chance(3) === 0 ? ['a', 'b'] : ['a', 'b', 'c']
  const apiPlaces = slots.map((slot) => ({ program: cluster.startApiNode(slot), start: startApi(slot) }))
  const projectors = [1, 2].map(() => ({ program: startProjector(), start: startProjector }))
  const startAgent = () => cluster.startAgent('agent')
  const agents = [1, 2].map(() => ({ program: startAgent(), start: startAgent }))
  return { apiPlaces, agents, others: [...apiPlaces, ...projectors] }
}

function begin({ fixture: { world } }: Play, work: Promise<void>): void {
  work.catch((cause: unknown) => world.fail(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)))
}

function startLoad(play: Play): void {
  const { ann, ben, cat } = LOGINS
  const as = (role: string, { loginId }: Login): Play => ({ ...play, chance: play.fixture.world.randomBelow(`${role} ${loginId}`) })
  const watchAs = (login: Login): void => begin(play, watch(as('viewer', login), login))
  const [first, second] = [
    [ann[0], ben[0], cat[0]],
    [ann[1], ben[1]],
  ].map((logins) => logins.filter((login) => login !== undefined))
  for (const login of [...(first ?? []), ...(second ?? []), cat[1]]) if (login) watchAs(login)
  for (const login of second ?? []) begin(play, comeAndGo(as('goer', login), login, watchAs))
  for (const login of [ann[0], cat[1]]) if (login) begin(play, mark(as('marker', login), login))
  begin(play, administer({ ...play, chance: play.fixture.world.randomBelow('admin') }))
}

/** First the programs that send jobs to agents: an agent without them has no work. */
async function stopAll({ world, leases, bus, workshop }: Cluster, { others, agents }: Populace): Promise<void> {
  await stop(world, others, WITHOUT_OWNERS_MS)
  for (const job of workshop.jobs()) world.fail(`an agent works on ${job} for nobody`)
  await stop(world, agents, STOPPED_MS)
  for (const key of leases.held()) world.fail(`the lease ${key} is held by nobody`)
  for (const subject of bus.responders()) world.fail(`somebody still answers on ${subject}`)
}

async function stop(world: World, places: readonly Place[], untilMs: number): Promise<void> {
  const stopping = new Set(places.map(({ program }) => program))
  for (const program of stopping) {
    program.stop().then(
      () => stopping.delete(program),
      (cause: unknown) => world.fail(`${program.host.name} cannot stop: ${String(cause)}`),
    )
  }
  await world.runUntil(untilMs)
  for (const { host } of stopping) world.fail(`${host.name} does not stop`)
}
