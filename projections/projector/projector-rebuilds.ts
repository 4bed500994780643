/**
 * Decides which generations of the views to project, and when a new generation replaces the live one. The projector of a view's live
 * generation also keeps its other generations, in the same loop once they have caught up. So they advance together, and a node may read
 * either.
 */
import { STALE_MS, type Generations, type ViewGenerations } from '../../src/app/consistency/view-generations.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { collectionOf, type AnyView } from '../views/view.ts'

export interface WantedViews {
  readonly live: readonly AnyView[]
  /** Generations being filled, and those replaced a moment ago. */
  readonly beside: readonly AnyView[]
}

export interface Rebuilds {
  /** The generations to project now. */
  load(): Promise<WantedViews>
  /** The live generation of the same view. */
  liveOf(view: AnyView): AnyView
  /** The name under which its position is announced, so that nobody reads a generation being filled. */
  announcedAs(this: void, view: AnyView): string
  /** Advances the rebuilds of views that share a loop and have caught up. True: something has changed. */
  advance(together: readonly AnyView[]): Promise<boolean>
  isNeeded(this: void, collection: string, generation: number): boolean
}

/** By then every node has noticed that another generation is live. */
const RETIRE_MS = 2 * STALE_MS

export function createRebuilds(deps: {
  readonly views: readonly AnyView[]
  readonly generations: Pick<ViewGenerations, 'of' | 'load' | 'change'>
  readonly clock: Pick<Clock, 'monotonic'>
}): Rebuilds {
  const { views, generations, clock } = deps
  const known = new Map<string, AnyView>(views.map((view) => [collectionOf(view), view]))
  const retiredAtMs = new Map<string, number>()
  const baseOf = ({ name, version }: AnyView): string => collectionOf({ name, version })
  const rowOf = (view: AnyView): Generations => generations.of(baseOf(view))

  /** Returns the same object each time. */
  function generationOf(view: AnyView, generation: number): AnyView {
    const name = collectionOf({ ...view, generation })
    const made = known.get(name) ?? { ...view, generation }
    known.set(name, made)
    return made
  }

  async function advanceOne(view: AnyView, together: readonly AnyView[]): Promise<boolean> {
    const collection = baseOf(view)
    const now = rowOf(view)
    const keeps = (generation: number): boolean => together.includes(generationOf(view, generation))
    if (!keeps(now.live)) return false
    if (now.retiring !== null) {
      const sinceMs = retiredAtMs.get(collection) ?? clock.monotonic()
      retiredAtMs.set(collection, sinceMs)
      if (clock.monotonic() - sinceMs < RETIRE_MS) return false
      retiredAtMs.delete(collection)
      await generations.change(collection, (row) => (isSame(row, now) ? { ...row, retiring: null } : undefined))
      return true
    }
    const { live, building } = now
    if (building === null || !keeps(building)) return false
    await generations.change(collection, (row) => (isSame(row, now) ? { live: building, building: null, retiring: live } : undefined))
    return true
  }

  return {
    async load() {
      await generations.load()
      const beside = views.flatMap((view) => {
        const { building, retiring } = rowOf(view)
        return [building, retiring].flatMap((generation) => (generation === null ? [] : [generationOf(view, generation)]))
      })
      const live = views.map((view) => generationOf(view, rowOf(view).live))
      keepOnly(known, [...views, ...live, ...beside])
      return { live, beside }
    },
    liveOf: (view) => generationOf(view, rowOf(view).live),
    announcedAs: (view) => (rowOf(view).building === (view.generation ?? 0) ? collectionOf(view) : baseOf(view)),
    async advance(together) {
      let changed = false
      for (const view of views) changed = (await advanceOne(view, together)) || changed
      return changed
    },
    isNeeded(collection, generation) {
      const { live, building, retiring } = generations.of(collection)
      return [live, building, retiring].includes(generation)
    },
  }
}

/** Generations that were dropped do not come back. */
function keepOnly(known: Map<string, AnyView>, wanted: readonly AnyView[]): void {
  const names = new Set(wanted.map(collectionOf))
  for (const name of known.keys()) if (!names.has(name)) known.delete(name)
}

const isSame = (a: Generations, b: Generations): boolean => a.live === b.live && a.building === b.building && a.retiring === b.retiring
