/** Caches folds of the past for a while, so that a repeated request, or one for the next page, needs no fold. */
import type { Position } from '../../events/position.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { Clock } from '../../ports/clock.ts'
import { isFoldOf, type Folded } from './as-of-fold.ts'

export interface FoldCache {
  /** A fold of this subject to this position. */
  find(subject: string, until: Position): Folded | undefined
  keep(subject: string, folded: Folded): void
}

/** Bytes of the documents in memory as JSON, for all users together; in memory they need two or three times as much. */
const ROOM_BYTES = 48 * 1024 * 1024
/** Minimum weight of a fold: this bounds their number at 200. */
const LEAST_BYTES = ROOM_BYTES / 200
const KEPT_MS = 600_000

const weightOf = ({ bytes }: Folded): number => Math.max(LEAST_BYTES, bytes())

interface Kept {
  readonly subject: string
  readonly folded: Folded
  readonly untilMs: number
}

export function createFoldCache(clock: Clock): FoldCache {
  const kept = createLruCache<Kept>(ROOM_BYTES)
  let stopWatch: (() => void) | undefined

  /** Frees memory even if no request comes any more. */
  function dropOld(): void {
    for (const [key, { untilMs }] of kept.entries()) if (untilMs <= clock.monotonic()) kept.remove(key)
    if (!kept.entries().next().done) return
    stopWatch?.()
    stopWatch = undefined
  }

  return {
    find(subject, until) {
      for (const [key, one] of kept.entries()) {
        if (one.subject !== subject || one.untilMs <= clock.monotonic() || !isFoldOf(one.folded, until)) continue
        if (one.folded.isGone()) continue
        // Queries since have read more of it. This counts as a use.
        kept.put(key, one, weightOf(one.folded))
        return one.folded
      }
      return undefined
    },
    keep(subject, folded) {
      kept.put(`${subject} ${folded.last}`, { subject, folded, untilMs: clock.monotonic() + KEPT_MS }, weightOf(folded))
      stopWatch ??= clock.every(KEPT_MS / 10, dropOld)
    },
  }
}
