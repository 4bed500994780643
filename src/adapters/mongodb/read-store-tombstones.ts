/** Sweeps tombstones that no late writer can need any more. */
import type { Clock } from '../../ports/clock.ts'
import type { KnownCollection } from './read-store-collections.ts'
import { MAX_TIME_MS } from './read-store-reads.ts'

/** Longer than a process can be delayed between reading the checkpoint and writing. */
const KEPT_MS = 24 * 3_600_000
const SWEEP_EVERY_MS = 600_000
const SWEPT_MAX = 1_000

/** Call it after each commit; it sweeps only from time to time. A collection that is being filled has no index to name. */
export async function sweepTombstones(known: KnownCollection, clock: Clock): Promise<void> {
  if (clock.monotonic() - known.sweptAtMs < SWEEP_EVERY_MS) return
  known.sweptAtMs = clock.monotonic()
  const old = { live: false, goneAt: { $lt: clock.now() - KEPT_MS } }
  const options = { projection: { _at: 1 }, limit: SWEPT_MAX, maxTimeMS: MAX_TIME_MS } as const
  const found = await known.documents.find(old, options).toArray()
  if (found.length === 0) return
  const removals = found.map(({ _id, _at }) => ({ deleteOne: { filter: { _id, _at, live: false } } }))
  await known.documents.bulkWrite(removals, { ordered: false })
}
