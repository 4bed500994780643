/** The read store of a simulation: one server for all hosts. Without transactions a commit may fail halfway. */
import { createMemoryReadStore } from '../../src/adapters/memory/read-store.ts'
import { ServerUnavailable } from '../../src/ports/server.ts'
import type { Commit, ReadStore } from '../../src/ports/read-store.ts'
import { callServer, silence, type Host } from './host.ts'
import type { NetworkFaults } from './network-faults.ts'
import type { World } from './world.ts'

export interface StoreServer {
  readonly raw: ReadStore
  of(host: Host): ReadStore
}

const AWAY = new ServerUnavailable('the read store')
/** Percentage of commits that succeed although the reply of the unavailable store is lost. */
const MADE_UNHEARD = 20
/** Percentage of commits that may fail halfway. */
const BREAKS = 30

export function createStoreServer(world: World, networkFaults: NetworkFaults): StoreServer {
  const raw = createMemoryReadStore()
  return { raw, of: (host) => storeOf({ world, networkFaults, raw, host }) }
}

interface Place {
  readonly world: World
  readonly networkFaults: NetworkFaults
  readonly raw: ReadStore
  readonly host: Host
}

function storeOf(place: Place): ReadStore {
  const { world, networkFaults, raw, host } = place
  const asked = <Answer>(work: () => Promise<Answer>): Promise<Answer> =>
    networkFaults.storeAway ? silence(world, host, { ms: 100 + world.chance(900), cause: AWAY }) : callServer(world, host, work)
  return {
    open: (specs) => asked(() => raw.open(specs)),
    get: (collection, id, only) => asked(() => raw.get(collection, id, only)),
    getMany: (collection, ids) => asked(() => raw.getMany(collection, ids)),
    find: (collection, query) => asked(() => raw.find(collection, query)),
    keys: (collection, query) => asked(() => raw.keys(collection, query)),
    count: (collection, where) => asked(() => raw.count(collection, where)),
    tally: (collection, field, range) => asked(() => raw.tally(collection, field, range)),
    sum: (collection, sums) => asked(() => raw.sum(collection, sums)),
    commit: (...commits) => sendCommit(place, commits),
    buildIndexes: (collections) => asked(() => raw.buildIndexes(collections)),
    checkpoint: (collection) => asked(() => raw.checkpoint(collection)),
    lastEpoch: () => asked(() => raw.lastEpoch()),
    collections: () => asked(() => raw.collections()),
    drop: (collection) => asked(() => raw.drop(collection)),
    close: async () => {},
  }
}

function sendCommit({ world, networkFaults, raw, host }: Place, commits: readonly Commit[]): Promise<'applied' | 'fenced'> {
  if (networkFaults.storeAway) {
    if (world.chance(100) < MADE_UNHEARD) world.later(1, null, 'unheard commit', () => void raw.commit(...commits).catch(() => {}))
    return silence(world, host, { ms: 100 + world.chance(900), cause: AWAY })
  }
  if (!networkFaults.brokenCommits || world.chance(100) >= BREAKS) return callServer(world, host, () => raw.commit(...commits))
  world.later(1, null, 'broken commit', () => void breakOff(world, raw, commits).catch(() => {}))
  return silence(world, host, { ms: 50, cause: AWAY })
}

/** Documents first, checkpoints last: all documents of some collections are stored, some of one, none of the others. */
async function breakOff(world: World, raw: ReadStore, commits: readonly Commit[]): Promise<void> {
  const whole = world.chance(commits.length)
  for (const [n, commit] of commits.slice(0, whole + 1).entries()) {
    const puts = n < whole ? commit.puts : commit.puts.slice(0, world.chance(commit.puts.length + 1))
    await raw.commit({ ...commit, to: commit.from, puts, removes: [] })
  }
}
