/**
 * Builds a page from consecutive stretches, each with its own order. Stops when the page is full or enough items were examined; in that
 * case the page is shorter, and the next page continues at its cursor.
 */
import type { ListPage, PagePoint, PageRequest } from '../read-models/page.ts'

export interface ListSource<Item> {
  /** The point before its first item. */
  readonly start: PagePoint
  /** Items after the point; `next` is null at the stretch's end. */
  read(after: PagePoint, limit: number): Promise<SourcePage<Item>>
  pointOf(item: Item): PagePoint
}

export interface SourcePage<Item> extends ListPage<Item> {
  /** Number of examined items, if more than the returned ones. */
  readonly looked?: number
}

export interface SourceWalk<Item> {
  readonly stretches: readonly ListSource<Item>[]
  /** The stretch that contains a point of an earlier page. */
  stretchOf(point: PagePoint): number
  /** Filters out items that are in the stretches but not in the list. */
  readonly keep?: ((item: Item) => boolean) | undefined
  /** Stretches return fewer items than they examine. */
  readonly sparse?: boolean
}

/** Most items examined for one page. */
const LOOKED_MAX = 2000
const CHUNK_MAX = 200
const CHUNKS = [50, 100, CHUNK_MAX] as const

export async function walkSources<Item>(walk: SourceWalk<Item>, { after, limit }: PageRequest): Promise<ListPage<Item>> {
  const { stretches, keep } = walk
  const found: { readonly item: Item; readonly point: PagePoint }[] = []
  let index = after ? walk.stretchOf(after) : 0
  let point = after ?? stretches[0]?.start
  let looked = 0
  for (let stretch = stretches[index]; stretch && point && looked < LOOKED_MAX; stretch = stretches[index]) {
    const missing = limit - found.length
    // One more than missing shows whether there is a next page.
    const chunk = keep || walk.sparse ? chunkFor(missing + 1, { found: found.length, looked }) : missing + 1
    const page: SourcePage<Item> = await stretch.read(point, chunk)
    for (const item of page.items) if (!keep || keep(item)) found.push({ item, point: stretch.pointOf(item) })
    looked += page.looked ?? lookedFor(page, chunk)
    point = page.next ?? stretches[++index]?.start
    if (found.length > limit) break
  }
  const items = found.slice(0, limit).map(({ item }) => item)
  if (found.length > limit) return { items, next: found[limit - 1]?.point ?? null }
  return { items, next: point ?? null }
}

/**
 * If items may be filtered out: at first a quarter more than wanted, since in most lists few are; then as many as are expected to hold the
 * wanted ones, judging by the share of those found so far. Stores remember the best way for a query with each limit, so there are few of them.
 */
function chunkFor(wanted: number, { found, looked }: { readonly found: number; readonly looked: number }): number {
  if (looked === 0) return Math.min(CHUNK_MAX, wanted + Math.ceil((wanted - 1) / 4))
  const expected = Math.ceil((wanted * looked) / Math.max(found, 1))
  return CHUNKS.find((chunk) => chunk >= expected) ?? CHUNK_MAX
}

/** A short page with a successor: the store has examined as many documents as it does at once. */
export const lookedFor = ({ items, next }: ListPage<unknown>, limit: number): number =>
  next && items.length < limit ? LOOKED_MAX : items.length
