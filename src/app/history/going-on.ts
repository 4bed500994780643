/** Handles viewings in progress: there are so few that they are filtered and summed here, on every request. */
import type { ViewingDocument } from '../../../projections/views/viewings.ts'
import type { Bucket, Filter, Sum, Sums } from '../../ports/read-store.ts'
import type { Collection } from '../read-models/read-models.ts'
import { closedIfIdle, type IsIdle } from './idle-viewings.ts'

/** More sessions than any server plays at once. */
const LIVE_MAX = 1_000

/** Those whose player fell silent are closed. */
export async function goingOnIn(viewings: Pick<Collection<ViewingDocument>, 'find'>, isIdle: IsIdle): Promise<readonly ViewingDocument[]> {
  const where: readonly Filter[] = [
    { field: 'hidden', op: 'eq', value: false },
    { field: 'endedAt', op: 'eq', value: null },
  ]
  const { items } = await viewings.find({ where, limit: LIVE_MAX })
  return items.map((viewing) => closedIfIdle(isIdle, viewing))
}

type Value = Sum['keys'][number]
const valueOf = (viewing: ViewingDocument, field: string): Value => Object(viewing)[field] ?? null

/** Filters like a store: a missing value matches only `eq null`. */
export const fits = (viewing: ViewingDocument, where: readonly Filter[]): boolean =>
  where.every((filter) => {
    const value = valueOf(viewing, filter.field)
    switch (filter.op) {
      case 'eq':
        return value === filter.value
      case 'in':
        return typeof value !== 'boolean' && value !== null && filter.values.includes(value)
      case 'gt':
      case 'gte':
      case 'lt':
      case 'lte':
        return value !== null && COMPARISONS[filter.op](value, filter.value)
      default:
        throw new TypeError(`Viewings have no lists: ${filter.op}`)
    }
  })

const COMPARISONS: Readonly<Record<'gt' | 'gte' | 'lt' | 'lte', (a: NonNullable<Value>, b: string | number) => boolean>> = {
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
}

/** One part of a group for each viewing. */
export const sumsOf = (viewings: readonly ViewingDocument[], { where = [], by = [], bucket, of }: Sums): readonly Sum[] =>
  viewings
    .filter((viewing) => fits(viewing, where))
    .map((viewing) => ({
      bucket: bucket ? placeOf(valueOf(viewing, bucket.field), bucket) : null,
      keys: by.map((field) => valueOf(viewing, field)),
      count: 1,
      sum: Number(valueOf(viewing, of)),
    }))

function placeOf(value: Value, { offset, width, cycle }: Bucket): number | null {
  if (typeof value !== 'number') return null
  const place = Math.floor((value + offset) / width)
  return cycle === undefined ? place : ((place % cycle) + cycle) % cycle
}
