/** Caches results computed from lists, as long as exactly the same lists are given. */
import { createLruCache } from '../../concurrency/lru-cache.ts'

/** @param name of the result; a name must have one meaning */
export type Derive = <Item, Result>(
  name: string,
  lists: readonly (readonly Item[])[],
  compute: (items: readonly Item[]) => Result,
) => Result

/** Items of all lists. */
const ROOM = 200_000

export function createDerive(): Derive {
  const cache = createLruCache<{ readonly lists: readonly unknown[]; readonly result: unknown }>(ROOM)
  return <Item, Result>(name: string, lists: readonly (readonly Item[])[], compute: (items: readonly Item[]) => Result) => {
    const found = cache.get(name)
    if (found?.lists.length === lists.length && found.lists.every((list, n) => list === lists[n])) return found.result as Result
    const items = lists.flat()
    const result = compute(items)
    cache.put(name, { lists, result }, items.length + 1)
    return result
  }
}
