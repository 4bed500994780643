/** LRU cache of bounded total weight: the least recently used entry is evicted first. */

export interface LruCache<Value> {
  /** Counts as a use. */
  get(key: string): Value | undefined
  /** Does not count as a use: the entry keeps its place. */
  peek(key: string): Value | undefined
  /** `weight` in the unit of the capacity, 1 if that is a number of values. A value heavier than the whole capacity is not kept. */
  put(key: string, value: Value, weight?: number): void
  remove(key: string): void
  clear(): void
  /** Least recently used first. */
  entries(): IterableIterator<readonly [key: string, value: Value]>
}

export function createLruCache<Value>(room: number): LruCache<Value> {
  /** The map's insertion order is the order of use. */
  const kept = new Map<string, { readonly value: Value; readonly weight: number }>()
  let used = 0

  function remove(key: string): void {
    used -= kept.get(key)?.weight ?? 0
    kept.delete(key)
  }

  return {
    get(key) {
      const entry = kept.get(key)
      if (!entry) return undefined
      kept.delete(key)
      kept.set(key, entry)
      return entry.value
    },
    peek: (key) => kept.get(key)?.value,
    put(key, value, weight = 1) {
      remove(key)
      if (weight > room) return
      kept.set(key, { value, weight })
      used += weight
      for (const oldest of kept.keys()) {
        if (used <= room) return
        remove(oldest)
      }
    },
    remove,
    clear() {
      kept.clear()
      used = 0
    },
    *entries() {
      for (const [key, { value }] of kept) yield [key, value] as const
    },
  }
}
