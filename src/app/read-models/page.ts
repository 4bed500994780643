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
  /** Whether to count the items of all pages. */
  readonly counted?: boolean
}

export interface ListPage<Item> {
  readonly items: readonly Item[]
  /** Null on the last page. */
  readonly next: PagePoint | null
  /** Number of items on all pages, if it was requested. */
  readonly total?: number
}

/** The total of a page, if it was requested; to be spread into the page. */
export async function totalOf({ counted }: PageRequest, count: () => Promise<number>): Promise<{ readonly total?: number }> {
  return counted ? { total: await count() } : {}
}

/** A page of items held in memory, sorted by a text key and then by id; `descending` reverses the keys, ids stay ascending. */
export function pageOf<Item extends { readonly id: string }>(
  items: readonly Item[],
  { after, limit, counted }: PageRequest,
  key: (item: Item) => string,
  descending = false,
): ListPage<Item> {
  const sign = descending ? -1 : 1
  const compare = (a: PagePoint, b: PagePoint) => sign * byCodePoints(textOf(a.value), textOf(b.value)) || byCodePoints(a.id, b.id)
  const pointOf = (item: Item): PagePoint => ({ value: key(item), id: item.id })
  const rest = items.filter((item) => !after || compare(pointOf(item), after) > 0).sort((a, b) => compare(pointOf(a), pointOf(b)))
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  const next = last && rest.length > limit ? pointOf(last) : null
  return { items: page, next, ...(counted ? { total: items.length } : {}) }
}

const textOf = (value: Json) => (typeof value === 'string' ? value : '')
