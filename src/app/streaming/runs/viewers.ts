/** Tracks the viewers of a rendition and their positions, by their requests. */
import { segmentAt, startOf, type Grid } from '../../../domain/streaming/segment-grid.ts'
import { createLruCache } from '../../../concurrency/lru-cache.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { WatchedRange } from '../../../ports/segment-store.ts'

export interface Viewer {
  /** The session. */
  readonly name: string
  /** The last requested segment, and the one that this playback started with. */
  readonly segment: number
  readonly from: number
  readonly at: number
}

export interface Viewers {
  moved(viewer: string, segment: number): void
  left(viewer: string): void
  position(viewer: string): number | undefined
  /** Viewers with a request within the last minute. */
  present(): readonly Viewer[]
}

const MAX_VIEWERS = 1_000
/**
 * How long a viewer counts without a request: the longest that a player plays from its buffer, and a pause for which a run is worth
 * keeping.
 */
export const INTEREST_MS = 60_000
/** Requests at most this many segments apart belong to one playback. */
const STRIDE = 8
/** The range around a viewer that is kept: a step back or forward on the remote control then needs no new segment. */
const NEAR = { backMs: 30_000, aheadMs: 60_000, nextSegments: 3 }

export function createViewers(clock: Clock): Viewers {
  const viewers = createLruCache<Viewer>(MAX_VIEWERS)
  return {
    moved(name, segment) {
      const before = viewers.peek(name)
      const goesOn = before !== undefined && segment >= before.from && Math.abs(segment - before.segment) <= STRIDE
      viewers.put(name, { name, segment, from: goesOn ? before.from : segment, at: clock.monotonic() })
    },
    left: (name) => viewers.remove(name),
    position: (name) => viewers.peek(name)?.segment,
    present() {
      const oldest = clock.monotonic() - INTEREST_MS
      for (const [name, { at }] of viewers.entries()) if (at < oldest) viewers.remove(name)
      return [...viewers.entries()].map(([, viewer]) => viewer)
    },
  }
}

/** Ranges to keep for the current viewers. */
export function nearTo(viewers: Viewers, grid: Grid): readonly WatchedRange[] {
  return viewers.present().map(({ segment }) => ({
    from: segmentAt(grid, startOf(grid, segment) - NEAR.backMs),
    through: segmentAt(grid, startOf(grid, segment) + NEAR.aheadMs),
    next: { from: segment, through: segment + NEAR.nextSegments - 1 },
  }))
}
