/** Projections as administrators see them: of each view how far it has come, and whether a projector keeps it. */
import type { Position } from '../../events/position.ts'
import { collectionOf } from '../../../projections/views/view.ts'
import type { ProjectionStatus, ProjectionStatuses } from './projection-status.ts'

/** A projector is heard every second: whoever was not heard for so long is gone. */
export const SILENT_AFTER_MS = 5000

export interface Projection {
  readonly name: string
  readonly version: number
  readonly position: Position
  /** From when the last event happened until it was visible; null where that is not known. */
  readonly lagMs: number | null
  /** `waiting`: no projector that keeps it was heard lately. */
  readonly state: 'live' | 'catching-up' | 'waiting'
}

export interface Projections {
  list(this: void): readonly Projection[]
}

export function createProjections(
  views: readonly { readonly name: string; readonly version: number }[],
  heard: Pick<ProjectionStatuses, 'all' | 'silent'>,
): Projections {
  return {
    list() {
      const silent = new Set(heard.silent(SILENT_AFTER_MS))
      const statuses = new Map(heard.all().map((status) => [status.collection, status]))
      return views.flatMap(({ name, version }) => {
        const status = statuses.get(collectionOf({ name, version }))
        if (!status) return []
        return [{ name, version, position: status.position, lagMs: status.lagMs, state: stateOf(status, silent) }]
      })
    },
  }
}

function stateOf({ collection, isLive }: ProjectionStatus, silent: ReadonlySet<string>): Projection['state'] {
  if (silent.has(collection)) return 'waiting'
  return isLive ? 'live' : 'catching-up'
}
