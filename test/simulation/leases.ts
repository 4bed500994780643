/**
 * The leases of a simulation: one server for all hosts, with the behaviour of the NATS adapter. A paused or cut-off host loses its leases.
 * If a reply is lost the key stays taken for its lifetime. The server may forget a key, since leases are hints.
 */
import { ServerUnavailable } from '../../src/ports/server.ts'
import type { Lease, Leases, LeaseTtlSeconds } from '../../src/ports/leases.ts'
import { callServer, createHostClock, silence, type Host } from './host.ts'
import type { NetworkFaults } from './network-faults.ts'
import type { World } from './world.ts'

export interface LeaseServer {
  of(host: Host): Leases
  /** Keys that are held now. */
  held(): readonly string[]
  /** Forgets some of them. */
  forget(): void
}

interface Holding {
  readonly token: number
  untilMs: number
}

interface State {
  readonly world: World
  readonly networkFaults: NetworkFaults
  readonly holdings: Map<string, Holding>
  readonly tokens: Map<LeaseTtlSeconds, number>
}

interface Place {
  readonly key: string
  readonly ttlSeconds: LeaseTtlSeconds
  readonly token: number
}

const KINDS = ['playback.', 'rendition.', '']
const AWAY = new ServerUnavailable('the leases')
const RENEWALS = 3
/** Share of its lifetime by which a holder gives a lease up early. */
const MARGIN = 0.1
const RETRY_MS = 250

export function createLeaseServer(world: World, networkFaults: NetworkFaults): LeaseServer {
  const state: State = { world, networkFaults, holdings: new Map(), tokens: new Map() }
  const held = () => [...state.holdings.keys()].filter((key) => holdingOf(state, key))
  return {
    held,
    of: (host) => leasesOf(state, host),
    forget() {
      const of = KINDS[world.chance(KINDS.length)] ?? ''
      const keys = held().filter((key) => key.startsWith(of) && world.chance(2) === 0)
      for (const key of keys) state.holdings.delete(key)
      world.note(`forgotten leases: ${keys.join(' ')}`)
    },
  }
}

function holdingOf({ holdings, world }: State, key: string): Holding | undefined {
  const holding = holdings.get(key)
  if (holding && holding.untilMs <= world.now()) holdings.delete(key)
  return holdings.get(key)
}

function create(state: State, key: string, ttlSeconds: LeaseTtlSeconds): Place | null {
  if (holdingOf(state, key)) return null
  const token = (state.tokens.get(ttlSeconds) ?? 0) + 1
  state.tokens.set(ttlSeconds, token)
  state.holdings.set(key, { token, untilMs: state.world.now() + ttlSeconds * 1000 })
  return { key, ttlSeconds, token }
}

function renew(state: State, { key, ttlSeconds, token }: Place): boolean {
  const holding = holdingOf(state, key)
  if (holding?.token !== token) return false
  holding.untilMs = state.world.now() + ttlSeconds * 1000
  return true
}

function remove(state: State, { key, token }: Place): void {
  if (holdingOf(state, key)?.token === token) state.holdings.delete(key)
}

function leasesOf(state: State, host: Host): Leases {
  const { world, networkFaults } = state
  const held = new Set<Lease>()
  const isAway = () => networkFaults.leasesAway || host.cut
  function asked<Answer>(work: () => Answer): Promise<Answer> {
    if (!isAway()) return callServer(world, host, async () => work())
    // It may have been done all the same.
    if (world.chance(10) === 0) work()
    return silence(world, host, { ms: 200 + world.chance(1800), cause: AWAY })
  }
  return {
    async acquire(key, ttlSeconds) {
      const askedMs = world.now()
      const place = await asked(() => create(state, key, ttlSeconds))
      world.note(`${host.name} ${place ? `has ${key} by ${place.token}` : `has not ${key}`}`)
      return place && keep({ state, host, place, askedMs, held, asked })
    },
    held: (key) => asked(() => holdingOf(state, key) !== undefined),
    close: async () => void (await Promise.all([...held].map((lease) => lease.release()))),
  }
}

interface Keeping {
  readonly state: State
  readonly host: Host
  readonly place: Place
  readonly askedMs: number
  readonly held: Set<Lease>
  readonly asked: <Answer>(work: () => Answer) => Promise<Answer>
}

function keep({ state, host, place, askedMs, held, asked }: Keeping): Lease {
  const clock = createHostClock(state.world, host)
  const lifetimeMs = place.ttlSeconds * 1000
  const lost = new AbortController()
  let stopExpiring = (): void => {}
  let stopRenewing = (): void => {}

  function end(): void {
    if (lost.signal.aborted) return
    stopExpiring()
    stopRenewing()
    held.delete(lease)
    lost.abort(new Error(`The lease ${place.key} is no longer held`))
  }

  function prolong(fromMs: number): void {
    stopExpiring()
    stopExpiring = clock.after(fromMs + lifetimeMs * (1 - MARGIN) - clock.monotonic(), end)
    stopRenewing = clock.after(fromMs + lifetimeMs / RENEWALS - clock.monotonic(), () => void renewNow())
  }

  async function renewNow(): Promise<void> {
    const fromMs = clock.monotonic()
    try {
      const isOurs = await asked(() => renew(state, place))
      if (!isOurs) end()
      else if (!lost.signal.aborted) prolong(fromMs)
    } catch {
      if (!lost.signal.aborted) stopRenewing = clock.after(RETRY_MS, () => void renewNow())
    }
  }

  const lease: Lease = {
    token: place.token,
    lost: lost.signal,
    async release() {
      if (lost.signal.aborted) return
      end()
      await asked(() => remove(state, place)).catch(() => {})
    },
  }
  held.add(lease)
  prolong(askedMs)
  return lease
}
