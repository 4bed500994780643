/**
 * Freshness: read your writes. A command is answered only when every view that routes read has passed its position.
 *
 * Projectors announce on the bus how far each view has come; where the bus is silent the store's checkpoints are asked.
 */
import { START, type Position } from '../events/position.ts'
import type { Bus } from '../ports/bus.ts'
import type { Clock } from '../ports/clock.ts'
import type { ReadStore } from '../ports/read-store.ts'

export const PASSED_SUBJECT = 'projector.passed'

export interface Freshness {
  /** Tells how far a view of this node's own has come. */
  passed(view: string, position: Position): void
  /** Settles when all views have passed the position. @throws ViewsBehind after two seconds */
  reach(position: Position): Promise<void>
  /** How far each view has come. */
  positions(): ReadonlyMap<string, Position>
  /** How far all of them have come. */
  least(this: void): Position
  close(): void
}

/** The command is stored, but what would show it is not there yet. */
export class ViewsBehind extends Error {
  readonly code = 'views-behind'
  constructor() {
    super('Stored, but not visible yet')
    this.name = 'ViewsBehind'
  }
}

const PATIENCE_MS = 2000
const SILENCE_MS = 250

interface Waiter {
  readonly position: Position
  readonly wake: () => void
}

export function createFreshness(deps: {
  readonly bus: Bus
  readonly clock: Clock
  readonly store: ReadStore
  /** Collections kept by projectors. */
  readonly collections: readonly string[]
  /** Views that this node keeps in memory. */
  readonly own: readonly string[]
}): Freshness {
  const { bus, clock, store, collections } = deps
  const reached = new Map<string, Position>([...collections, ...deps.own].map((name) => [name, START]))
  const waiters = new Set<Waiter>()
  let least: Position = START

  function passed(view: string, position: Position): void {
    const before = reached.get(view)
    if (before === undefined || before >= position) return
    reached.set(view, position)
    least = [...reached.values()].reduce((a, b) => (a < b ? a : b))
    for (const waiter of waiters) if (waiter.position <= least) waiter.wake()
  }

  const subscription = bus.subscribe(PASSED_SUBJECT, ({ head }) => {
    for (const [view, position] of Object.entries(head)) passed(view, position as Position)
  })

  async function askStore(): Promise<void> {
    for (const name of collections) passed(name, await store.checkpoint(name))
  }

  async function until(position: Position): Promise<boolean> {
    const asking = clock.every(SILENCE_MS, () => void askStore().catch(() => {}))
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiter = { position, wake: () => resolve(true) }
    waiters.add(waiter)
    const stop = clock.after(PATIENCE_MS, () => resolve(false))
    try {
      return await promise
    } finally {
      waiters.delete(waiter)
      stop()
      asking()
    }
  }

  return {
    passed,
    async reach(position) {
      if (position <= least || (await until(position))) return
      throw new ViewsBehind()
    },
    positions: () => reached,
    least: () => least,
    close: () => subscription.close(),
  }
}
