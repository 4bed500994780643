/** Holds the last report of projectors about each collection, for readiness checks and for administrators. */
import { START, type Position } from '../../events/position.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Announcement } from './projector-announcements.ts'

export interface ProjectionStatus {
  readonly collection: string
  readonly position: Position
  /** Head of the log, as far as its projector knows. */
  readonly head: Position
  /** Time from the last event until it was visible; null if unknown. */
  readonly lagMs: number | null
  /** Whether it has caught up with the log since its projector started. */
  readonly isLive: boolean
  /** When its projector was last heard, by the monotonic clock; null if not since this process started. */
  readonly heardAtMs: number | null
}

export type Filling = Pick<ProjectionStatus, 'position' | 'head'>

export interface ProjectionStatuses {
  heard(announcement: Announcement): void
  all(): readonly ProjectionStatus[]
  /** The last report about a generation that is being filled. */
  filling(collection: string): Filling | undefined
  /** Collections whose projector has been silent for so long. */
  silent(forMs: number): readonly string[]
}

export function createProjectionStatuses(clock: Pick<Clock, 'monotonic'>, collections: readonly string[]): ProjectionStatuses {
  const statuses = new Map<string, ProjectionStatus>(
    collections.map((collection) => [
      collection,
      { collection, position: START, head: START, lagMs: null, isLive: false, heardAtMs: null },
    ]),
  )
  const filling = new Map<string, Filling>()
  return {
    heard({ passed, head, lagMs, isLive }) {
      const heardAtMs = clock.monotonic()
      for (const [collection, position] of Object.entries(passed)) {
        const before = statuses.get(collection)
        if (!before) filling.set(collection, { position, head })
        // A projector that was replaced may still report old positions.
        if (!before || before.position > position) continue
        statuses.set(collection, { collection, position, head, lagMs, isLive, heardAtMs })
      }
    },
    filling: (collection) => filling.get(collection),
    all: () => [...statuses.values()],
    silent(forMs) {
      const nowMs = clock.monotonic()
      return [...statuses.values()].flatMap(({ collection, heardAtMs }) =>
        heardAtMs === null || nowMs - heardAtMs > forMs ? [collection] : [],
      )
    },
  }
}
