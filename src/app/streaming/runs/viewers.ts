/** Viewers of a rendition: where each of them is, as far as their requests show. */
import { segmentAt, startOf, type Grid } from '../../../domain/streaming/segment-grid.ts'
import { createLruCache } from '../../../concurrency/lru-cache.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { WatchedRange } from '../../../ports/segment-store.ts'

export interface Viewer {
  /** The session. */
  readonly name: string
  /** The last segment asked for, and the one that the watching began with. */
  readonly segment: number
  readonly from: number
  readonly at: number
}

export interface Viewers {
  moved(viewer: string, segment: number): void
  left(viewer: string): void
  position(viewer: string): number | undefined
  /** Those that asked for something within the last minute. */
  present(): readonly Viewer[]
}

const MAX_VIEWERS = 1_000
/** Interest without a request: the longest that a player lives on its buffer, and a pause that is worth keeping a run for. */
export const INTEREST_MS = 60_000
/** Requests this many segments apart are still one watching. */
const STRIDE = 8
/** What is near a viewer: not far enough back or ahead for a step on the remote control to need anything made. */
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

/** What to keep for those who watch now. */
export function nearTo(viewers: Viewers, grid: Grid): readonly WatchedRange[] {
  return viewers.present().map(({ segment }) => ({
    from: segmentAt(grid, startOf(grid, segment) - NEAR.backMs),
    through: segmentAt(grid, startOf(grid, segment) + NEAR.aheadMs),
    next: { from: segment, through: segment + NEAR.nextSegments - 1 },
  }))
}
