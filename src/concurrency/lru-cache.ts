/**
 * LRU cache of bounded total weight: the least recently used entry is evicted first. The order of use is a linked list: a map in that order
 * would have to be changed at each use. Removed entries are emptied: one that the garbage collector keeps for a while keeps nothing else.
 */

export interface LruCache<Value> {
  /** Counts as a use. */
  get(key: string): Value | undefined
  /** Does not count as a use: the entry keeps its place. */
  peek(key: string): Value | undefined
  /** `weight` in the unit of the capacity, 1 if that is a number of values. A value heavier than the whole capacity is not kept. */
  put(key: string, value: Value, weight?: number): void
  remove(key: string): void
  clear(): void
  /** Total weight of what is kept. */
  weight(): number
  /** Least recently used first. */
  entries(): IterableIterator<readonly [key: string, value: Value]>
}

interface Entry<Value> {
  readonly key: string
  value: Value | undefined
  weight: number
  /** Neighbours in the order of use. */
  older: Entry<Value>
  newer: Entry<Value>
}

export function createLruCache<Value>(room: number): LruCache<Value> {
  const kept = new Map<string, Entry<Value>>()
  /** The ends of the list meet in this entry: `newer` is the oldest one, `older` the newest. */
  const ends = createEntry<Value>('', undefined, 0)
  let used = 0

  function drop(entry: Entry<Value>): void {
    used -= entry.weight
    kept.delete(entry.key)
    unlink(entry)
    entry.value = undefined
  }

  function remove(key: string): void {
    const entry = kept.get(key)
    if (entry) drop(entry)
  }

  return {
    get(key) {
      const entry = kept.get(key)
      if (!entry) return undefined
      if (entry !== ends.older) {
        unlink(entry)
        append(ends, entry)
      }
      return entry.value
    },
    peek: (key) => kept.get(key)?.value,
    put(key, value, weight = 1) {
      remove(key)
      if (weight > room) return
      const entry = createEntry(key, value, weight)
      kept.set(key, entry)
      append(ends, entry)
      used += weight
      while (used > room) drop(ends.newer)
    },
    remove,
    clear() {
      for (const entry of kept.values()) {
        unlink(entry)
        entry.value = undefined
      }
      kept.clear()
      used = 0
    },
    weight: () => used,
    *entries() {
      const inOrder: Entry<Value>[] = []
      for (let entry = ends.newer; entry !== ends; entry = entry.newer) inOrder.push(entry)
      for (const entry of inOrder) if (kept.get(entry.key) === entry) yield [entry.key, entry.value as Value] as const
    },
  }
}

function createEntry<Value>(key: string, value: Value | undefined, weight: number): Entry<Value> {
  const entry = { key, value, weight } as Entry<Value>
  entry.older = entry
  entry.newer = entry
  return entry
}

function append<Value>(ends: Entry<Value>, entry: Entry<Value>): void {
  entry.older = ends.older
  entry.newer = ends
  ends.older.newer = entry
  ends.older = entry
}

/** Afterwards it is its own neighbour. */
function unlink<Value>(entry: Entry<Value>): void {
  entry.older.newer = entry.newer
  entry.newer.older = entry.older
  entry.older = entry
  entry.newer = entry
}
