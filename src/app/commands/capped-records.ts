/**
 * Records of what people can do as often as they like: at most 60 a minute for each key, then one that counts what came too often, so
 * that nobody floods the log.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Counters } from '../../ports/counters.ts'

export interface CappedRecords<Item> {
  /** Settles when it is written down, or counted. */
  record(this: void, key: string, item: Item): Promise<void>
  /** Writes down what was only counted so far: before a stop. */
  flush(this: void): Promise<void>
}

export interface CappedRecordsOptions<Item> {
  readonly clock: Pick<Clock, 'after'>
  readonly counters: Pick<Counters, 'spend'>
  readonly write: (item: Item) => Promise<void>
  /** One for both. */
  readonly together: (before: Item, item: Item) => Item
  readonly onError: (cause: unknown) => void
}

const RECORDED = { max: 60, windowMs: 60_000 }
/** Keys whose surplus is counted at once. */
const COUNTED_MAX = 10_000

interface Surplus<Item> {
  readonly item: Item
  readonly cancel: () => void
}

export function createCappedRecords<Item>({ clock, counters, write, together, onError }: CappedRecordsOptions<Item>): CappedRecords<Item> {
  /** What was not written down yet, by key. */
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
