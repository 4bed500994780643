/** Reports the projections to administrators: the position of each view, whether a projector maintains it, and its rebuild. */
import { refuse, type Refusal } from '../../domain/refusal.ts'
import { START, type Position } from '../../events/position.ts'
import type { ReadStore } from '../../ports/read-store.ts'
import { collectionOf, generationName } from '../../../projections/views/view.ts'
import type { ProjectionChecksums } from './projection-checksums.ts'
import type { ProjectionStatus, ProjectionStatuses } from './projection-status.ts'
import type { ViewGenerations } from './view-generations.ts'

/** A projector reports every second: after so long a silence it counts as gone. */
export const SILENT_AFTER_MS = 5000

/** Progress of the new documents, while the old ones are read. */
export interface Rebuild {
  readonly position: Position
  /** Part of the log that they contain: 0 to 1. */
  readonly progress: number
}

export interface Projection {
  readonly name: string
  readonly version: number
  readonly position: Position
  /** Time from the last event until it was visible; null if unknown. */
  readonly lagMs: number | null
  /** `waiting`: no projector that maintains it was heard recently. */
  readonly state: 'live' | 'catching-up' | 'waiting'
  /** Equal for equal content. Null while the view is being filled, changes too fast, or is still being read. */
  readonly checksum: string | null
  readonly rebuild: Rebuild | null
}

export interface RebuildState {
  readonly name: string
  /** Increases when a rebuild has finished. */
  readonly generation: number
  readonly rebuild: Rebuild | null
}

export interface Projections {
  list(this: void): Promise<readonly Projection[]>
  /** Rebuilds the view from the log, beside the collection that is read. Does nothing while a rebuild runs. */
  rebuild(this: void, name: string): Promise<Projection | Refusal>
  /** As this node last read them, up to a second ago. */
  rebuilds(this: void): readonly RebuildState[]
}

export interface ProjectionsDependencies {
  readonly views: readonly { readonly name: string; readonly version: number }[]
  readonly heard: Pick<ProjectionStatuses, 'all' | 'silent' | 'filling'>
  readonly checksums: ProjectionChecksums
  readonly generations: Pick<ViewGenerations, 'of' | 'liveOf' | 'fresh' | 'load' | 'change'>
  readonly store: Pick<ReadStore, 'collections'>
  /** Collections that are no views, and are rebuilt in the background after they are dropped: how to drop each, by name. */
  readonly disposable?: Readonly<Record<string, () => Promise<void>>>
}

/** After this timeout the caller gets the checksums that are ready. */
const CHECKSUMS_WAIT_MS = 1000
const MILLIONTHS = 1_000_000n

export function createProjections(deps: ProjectionsDependencies): Projections {
  const { views, heard, checksums, generations, store, disposable = {} } = deps

  function rebuildOf(collection: string): Rebuild | null {
    const { building } = generations.of(collection)
    if (building === null) return null
    const { position, head } = heard.filling(generationName(collection, building)) ?? { position: START, head: START }
    const [done, all] = [BigInt(position), BigInt(head)]
    const progress = all === 0n ? 0 : Math.min(1, Number((done * MILLIONTHS) / all) / Number(MILLIONTHS))
    return { position, progress }
  }

  async function list(): Promise<readonly Projection[]> {
    await generations.load()
    const silent = new Set(heard.silent(SILENT_AFTER_MS))
    const statuses = new Map(heard.all().map((status) => [status.collection, status]))
    const listed = views.flatMap(({ name, version }) => {
      const status = statuses.get(collectionOf({ name, version }))
      return status ? [{ name, version, status, state: stateOf(status, silent) }] : []
    })
    const readable = listed.filter(({ state }) => state !== 'catching-up').map(({ status }) => generations.liveOf(status.collection))
    const sums = await checksums.of(readable, CHECKSUMS_WAIT_MS)
    return listed.map(({ name, version, status: { collection, position, lagMs }, state }) => {
      const checksum = sums.get(generations.liveOf(collection)) ?? null
      return { name, version, position, lagMs, state, checksum, rebuild: rebuildOf(collection) }
    })
  }

  return {
    list,
    async rebuild(name) {
      const drop = Object.hasOwn(disposable, name) ? disposable[name] : undefined
      if (drop) return drop().then(() => dropped(name))
      const view = views.find((one) => one.name === name)
      if (!view) return refuse('not-found', 'There is no such projection')
      const collection = collectionOf(view)
      const left = highestGeneration(collection, await store.collections())
      await generations.change(collection, (now) =>
        now.building === null ? { ...now, building: Math.max(now.live, left) + 1 } : undefined,
      )
      return (await list()).find((one) => one.name === name) ?? refuse('not-found', 'There is no such projection')
    },
    rebuilds() {
      // A failure also shows when documents are read.
      generations.fresh()?.catch(() => {})
      return views.map((view) => {
        const collection = collectionOf(view)
        return { name: view.name, generation: generations.of(collection).live, rebuild: rebuildOf(collection) }
      })
    },
  }
}

function stateOf({ collection, isLive }: ProjectionStatus, silent: ReadonlySet<string>): Projection['state'] {
  if (silent.has(collection)) return 'waiting'
  return isLive ? 'live' : 'catching-up'
}

function dropped(name: string): Projection {
  const rebuild = { position: START, progress: 0 }
  return { name, version: 1, position: START, lagMs: null, state: 'catching-up', checksum: null, rebuild }
}

/** Includes generations that are still to be dropped, so that a new one never gets the same number. */
function highestGeneration(collection: string, existing: readonly string[]): number {
  const prefix = generationName(collection, 1).slice(0, -1)
  const numbers = existing.filter((name) => name.startsWith(prefix)).map((name) => Number(name.slice(prefix.length)))
  return Math.max(0, ...numbers.filter(Number.isSafeInteger))
}
