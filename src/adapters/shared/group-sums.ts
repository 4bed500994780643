/** Groups and adds up documents in the program, for engines that cannot do it. */
import type { Json } from '../../events/envelope.ts'
import { GROUPS_MAX, TooManyGroups, type Sum, type Sums } from '../../ports/read-store.ts'
import { bucketOf } from './query-rules.ts'

/** One document. */
export interface Portion {
  /** Value of the bucket field. */
  readonly value: Json | undefined
  readonly keys: Sum['keys']
  readonly amount: number
}

export interface GroupSums {
  /** @throws TooManyGroups */
  add(portion: Portion): void
  list(): readonly Sum[]
}

export function createGroupSums(collection: string, { bucket }: Sums): GroupSums {
  const groups = new Map<string, { readonly bucket: number | null; readonly keys: Sum['keys']; count: number; sum: number }>()
  return {
    add({ value, keys, amount }) {
      const place = bucketOf(value, bucket)
      const key = JSON.stringify([place, keys])
      let group = groups.get(key)
      if (!group) {
        if (groups.size === GROUPS_MAX) throw new TooManyGroups(collection)
        group = { bucket: place, keys, count: 0, sum: 0 }
        groups.set(key, group)
      }
      group.count++
      group.sum += amount
    },
    list: () => [...groups.values()],
  }
}
