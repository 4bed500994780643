/**
 * Old generations: a collection of another version of a view is dropped when the new one has caught up and nobody has kept the old
 * one for a while, so that servers of both versions can run beside each other during an upgrade.
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
  /** How long nobody must have kept it; 0 where no other process can be there. */
  readonly keepOldMs: number
}

/** To be called now and then, with views that have caught up and are kept under leases of this projector. */
export function createGenerationSweep(deps: GenerationsDependencies): (live: readonly AnyView[]) => Promise<void> {
  const { store, leases, clock, keepOldMs } = deps
  /** Since when nobody keeps it. */
  const freeSinceMs = new Map<string, number>()

  async function isAbandoned(collection: string): Promise<boolean> {
    if (await leases.held(projectorLease(collection))) {
      freeSinceMs.delete(collection)
      return false
    }
    const sinceMs = freeSinceMs.get(collection) ?? clock.monotonic()
    freeSinceMs.set(collection, sinceMs)
    return clock.monotonic() - sinceMs >= keepOldMs
  }

  /** Under its lease, so that nobody begins to keep it meanwhile. */
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
      if (!live.some((view) => isReplaced(collection, view, keepOldMs)) || !(await isAbandoned(collection))) continue
      await drop(collection)
      dropped = true
    }
    if (dropped) await forgetProgressOfGone(store)
  }
}

/** Newer generations stay where they may be somebody's who has upgraded already. */
function isReplaced(collection: string, view: AnyView, keepOldMs: number): boolean {
  const [, name, version] = /^(.+)_g(\d+)$/.exec(collection) ?? []
  if (name !== view.name || collection === collectionOf(view)) return false
  return keepOldMs === 0 || Number(version) < view.version
}
