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
  readonly sinceMs: number
  readonly settle: (isReached: boolean) => void
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
  /** Longest waiting first. */
  const waiters = new Set<Waiter>()
  let least: Position = START
  let stopAsking: (() => void) | undefined
  let stopWatching: (() => void) | undefined

  function note(views: Iterable<readonly [view: string, position: Position]>): void {
    for (const [view, position] of views) {
      const before = reached.get(view)
      if (before !== undefined && before < position) reached.set(view, position)
    }
    const before = least
    least = [...reached.values()].reduce((a, b) => (a < b ? a : b))
    if (before === least) return
    for (const waiter of waiters) if (waiter.position <= least) settle(waiter, true)
  }

  const subscription = bus.subscribe(PASSED_SUBJECT, ({ head }) => note(Object.entries(head) as [string, Position][]))

  async function askStore(): Promise<void> {
    for (const name of collections) note([[name, await store.checkpoint(name)]])
  }

  function settle(waiter: Waiter, isReached: boolean): void {
    waiters.delete(waiter)
    waiter.settle(isReached)
  }

  function until(position: Position): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    waiters.add({ position, sinceMs: clock.monotonic(), settle: resolve })
    stopAsking ??= clock.every(SILENCE_MS, ask)
    stopWatching ??= clock.after(PATIENCE_MS, endPatience)
    return promise
  }

  // One timer for all who wait, and left running between them: commands follow each other faster than timers are worth making.
  function ask(): void {
    if (waiters.size > 0) return void askStore().catch(() => {})
    stopAsking?.()
    stopAsking = undefined
  }

  function endPatience(): void {
    const nowMs = clock.monotonic()
    for (const waiter of waiters) {
      const leftMs = waiter.sinceMs + PATIENCE_MS - nowMs
      if (leftMs > 0) {
        stopWatching = clock.after(leftMs, endPatience)
        return
      }
      settle(waiter, false)
    }
    stopWatching = undefined
  }

  return {
    passed: (view, position) => note([[view, position]]),
    async reach(position) {
      if (position <= least || (await until(position))) return
      throw new ViewsBehind()
    },
    positions: () => reached,
    least: () => least,
    close() {
      subscription.close()
      stopAsking?.()
      stopWatching?.()
    },
  }
}
