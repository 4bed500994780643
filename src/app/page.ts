/** Pages of lists: a bounded number of items and where the walk goes on. */
import type { Json } from '../events/envelope.ts'

/** Sort value and id of the last item of the page before. */
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
