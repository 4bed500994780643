/**
 * Drops old collections: another version or generation of a view, once the new one has caught up and the old one has had no projector for
 * a while. So servers of both versions can run side by side during an upgrade.
 */
import { forgetProgressOfGone } from '../../src/app/consistency/stored-progress.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Leases } from '../../src/ports/leases.ts'
import type { ReadStore } from '../../src/ports/read-store.ts'
import { LEASE_SECONDS, projectorLease } from './projector-lease.ts'
import { collectionOf, type AnyView } from '../views/view.ts'

export interface GenerationsDependencies {
  readonly store: ReadStore
  readonly leases: Leases
  readonly clock: Clock
  /** How long a collection must be without a projector; 0 if there can be no other process. */
  readonly keepOldMs: number
  /** Whether a generation of a view's version is being read, filled or replaced. */
  readonly isNeeded: (collection: string, generation: number) => boolean
}

/** Call it periodically, with views that have caught up and are leased by this projector. */
export function createGenerationSweep(deps: GenerationsDependencies): (live: readonly AnyView[]) => Promise<void> {
  const { store, leases, clock, keepOldMs, isNeeded } = deps
  /** Since when the collection has had no projector. */
  const freeSinceMs = new Map<string, number>()

  /** Newer versions stay if they may belong to another, already upgraded process. */
  function isReplaced(collection: string, { name, version }: AnyView): boolean {
    const [, view, of, generation = 0] = /^(.+)_g(\d+)(?:_r(\d+))?$/.exec(collection) ?? []
    if (view !== name) return false
    if (Number(of) === version) return !isNeeded(collectionOf({ name, version }), Number(generation))
    return keepOldMs === 0 || Number(of) < version
  }

  async function isAbandoned(collection: string): Promise<boolean> {
    if (await leases.held(projectorLease(collection))) {
      freeSinceMs.delete(collection)
      return false
    }
    const sinceMs = freeSinceMs.get(collection) ?? clock.monotonic()
    freeSinceMs.set(collection, sinceMs)
    return clock.monotonic() - sinceMs >= keepOldMs
  }

  /** Holds the lease, so that no projector starts on the collection meanwhile. */
  async function drop(collection: string): Promise<void> {
    const lease = await leases.acquire(projectorLease(collection), LEASE_SECONDS)
    if (!lease) return
    try {
      await store.drop(collection)
      freeSinceMs.delete(collection)
    } finally {
      await lease.release()
    }
  }

  return async (live) => {
    let dropped = false
    for (const collection of await store.collections()) {
      if (!live.some((view) => isReplaced(collection, view)) || !(await isAbandoned(collection))) continue
      await drop(collection)
      dropped = true
    }
    if (dropped) await forgetProgressOfGone(store)
  }
}
