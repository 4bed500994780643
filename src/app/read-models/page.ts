/** Pages of lists: a bounded number of items, and the point where the next page continues. */
import type { Json } from '../../events/envelope.ts'
import { byCodePoints } from '../../vocabulary/code-point-order.ts'

/** Sort value and id of the last item of the previous page. */
export interface PagePoint {
  readonly value: Json
  readonly id: string
}

export interface PageRequest {
  readonly after?: PagePoint
  /** 1 to 100. */
  readonly limit: number
}

export interface ListPage<Item> {
  readonly items: readonly Item[]
  /** Null on the last page. */
  readonly next: PagePoint | null
}

/** A page of items held in memory, sorted by a text key and then by id; `descending` reverses the keys, ids stay ascending. */
export function pageOf<Item extends { readonly id: string }>(
  items: readonly Item[],
  { after, limit }: PageRequest,
  key: (item: Item) => string,
  descending = false,
): ListPage<Item> {
  const sign = descending ? -1 : 1
  const compare = (a: PagePoint, b: PagePoint) => sign * byCodePoints(textOf(a.value), textOf(b.value)) || byCodePoints(a.id, b.id)
  const pointOf = (item: Item): PagePoint => ({ value: key(item), id: item.id })
  const rest = items.filter((item) => !after || compare(pointOf(item), after) > 0).sort((a, b) => compare(pointOf(a), pointOf(b)))
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return { items: page, next: last && rest.length > limit ? pointOf(last) : null }
}

const textOf = (value: Json) => (typeof value === 'string' ? value : '')
