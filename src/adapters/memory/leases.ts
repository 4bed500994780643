/** Leases of one process, used by the embedded server, so that the code for adoption and fencing runs there too. */
import type { Clock } from '../../ports/clock.ts'
import type { Lease, Leases, LeaseTtlSeconds } from '../../ports/leases.ts'

/** The held keys, shared by the nodes of one test. */
export interface LeaseTable {
  readonly held: Map<string, Holding>
  token: number
}

interface Holding {
  readonly token: number
  expiresAtMs: number
}

export interface MemoryLeases extends Leases {
  /** Stops renewing, like a node that is cut off: its leases expire. `resume` undoes that. For tests. */
  stall(): void
  resume(): void
}

export interface MemoryLeasesOptions {
  readonly clock: Clock
  /** Given if several nodes in one process share their leases. */
  readonly table?: LeaseTable
  /** The highest token that an earlier process may have left: all tokens are above it. Asked again if it fails. Default: there was none. */
  readonly lastToken?: () => Promise<number>
}

interface Node {
  readonly clock: Clock
  readonly table: LeaseTable
  readonly ends: Set<() => void>
  stalled: boolean
  closed: boolean
}

/** Renewals within one lifetime. */
const RENEWALS = 3

export const createLeaseTable = (): LeaseTable => ({ held: new Map(), token: 0 })

export function createMemoryLeases({ clock, table = createLeaseTable(), lastToken }: MemoryLeasesOptions): MemoryLeases {
  const node: Node = { clock, table, ends: new Set(), stalled: false, closed: false }
  let ask = lastToken
  return {
    async acquire(key, ttlSeconds) {
      if (ask) {
        table.token = Math.max(table.token, await ask())
        ask = undefined
      }
      return acquire(node, key, ttlSeconds)
    },
    held: async (key) => holdingOf(node, key) !== undefined,
    async close() {
      node.closed = true
      for (const end of node.ends) end()
    },
    stall: () => void (node.stalled = true),
    resume: () => void (node.stalled = false),
  }
}

/** The current holder of the key; expired ones are dropped. */
function holdingOf({ table, clock }: Node, key: string): Holding | undefined {
  const holding = table.held.get(key)
  if (holding && holding.expiresAtMs <= clock.monotonic()) table.held.delete(key)
  return table.held.get(key)
}

function acquire(node: Node, key: string, ttlSeconds: LeaseTtlSeconds): Lease | null {
  if (node.closed) throw new Error('The leases are closed')
  if (holdingOf(node, key)) return null
  const ttlMs = ttlSeconds * 1000
  const holding: Holding = { token: ++node.table.token, expiresAtMs: node.clock.monotonic() + ttlMs }
  node.table.held.set(key, holding)

  const lost = new AbortController()
  const end = (): void => {
    stopRenewing()
    node.ends.delete(end)
    if (node.table.held.get(key) === holding) node.table.held.delete(key)
    lost.abort(new Error(`The lease ${key} is no longer held`))
  }
  const renew = (): void => {
    if (holdingOf(node, key) !== holding) end()
    else if (!node.stalled) holding.expiresAtMs = node.clock.monotonic() + ttlMs
  }
  const stopRenewing = node.clock.every(ttlMs / RENEWALS, renew)
  node.ends.add(end)
  return { token: holding.token, lost: lost.signal, release: async () => end() }
}
