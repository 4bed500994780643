/**
 * Records actions that users can repeat without limit: at most 60 a minute for each key, then one record with the number of the rest, so
 * that nobody can flood the log.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Counters } from '../../ports/counters.ts'
import type { Report } from '../../ports/report.ts'

export interface CappedRecords<Item> {
  /** Settles when the item is written or counted. */
  record(this: void, key: string, item: Item): Promise<void>
  /** Writes the records that are only counted so far. Call it before a stop. */
  flush(this: void): Promise<void>
}

export interface CappedRecordsOptions<Item> {
  readonly clock: Pick<Clock, 'after'>
  readonly counters: Pick<Counters, 'spend'>
  readonly write: (item: Item) => Promise<void>
  /** Merges two items into one. */
  readonly together: (before: Item, item: Item) => Item
  readonly onError: Report
}

const RECORDED = { max: 60, windowMs: 60_000 }
/** Most keys with a surplus at the same time. */
const COUNTED_MAX = 10_000

interface Surplus<Item> {
  readonly item: Item
  readonly cancel: () => void
}

export function createCappedRecords<Item>({ clock, counters, write, together, onError }: CappedRecordsOptions<Item>): CappedRecords<Item> {
  /** Surplus that is not written yet, by key. */
  const surplus = new Map<string, Surplus<Item>>()

  function count(key: string, item: Item): void {
    const before = surplus.get(key)
    if (before) surplus.set(key, { ...before, item: together(before.item, item) })
    else if (surplus.size < COUNTED_MAX) {
      surplus.set(key, { item, cancel: clock.after(RECORDED.windowMs, () => void writeSurplus(key).catch(onError)) })
    }
  }

  async function writeSurplus(key: string): Promise<void> {
    const counted = surplus.get(key)
    surplus.delete(key)
    counted?.cancel()
    if (counted) await write(counted.item)
  }

  return {
    async record(key, item) {
      const { allowed } = await counters.spend(key, RECORDED)
      if (allowed) await write(item)
      else count(key, item)
    },
    async flush() {
      for (const key of surplus.keys()) await writeSurplus(key).catch(onError)
    },
  }
}
