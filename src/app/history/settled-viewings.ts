/**
 * Sums over viewings. Results over finished viewings are cached until one of them changes or another one ends. Heartbeats, the largest part
 * of the log, change only viewings in progress, which are few and are summed again each time.
 */
import { collectionOf } from '../../../projections/views/view.ts'
import { SETTLED, viewings as view, type ViewingDocument } from '../../../projections/views/viewings.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import { START, type Position } from '../../events/position.ts'
import { GROUPS_MAX, TooManyGroups, type Filter, type Sum, type Sums } from '../../ports/read-store.ts'
import { goingOnIn, sumsOf } from './going-on.ts'
import type { Collection } from '../read-models/read-models.ts'

export interface CoarseSums extends Sums {
  /** Maps a bucket of the store to a bucket of the answer. The cache knows a function by its name, so a name must have one meaning. */
  readonly bucketOf?: (bucket: number) => number
}

export interface SettledViewings {
  /** A group may come in several parts. @throws TooManyGroups if there are more than any answer can use */
  sum(sums: CoarseSums): Promise<readonly Sum[]>
  /** The result of `make` over finished viewings, cached under the name of the question. */
  kept<Item>(question: string, make: () => Promise<readonly Item[]>): Promise<readonly Item[]>
}

interface Kept {
  readonly items: readonly unknown[]
  readonly changedAt: Position
}

/** Cached items of all answers: about 30 MB. */
const ROOM = 200_000
const PARTS_MAX = 20 * GROUPS_MAX
const SHORTEST_MS = 1_000

/** No index starts with this field, so the store uses the index by time. */
export const OVER: Filter = { field: 'over', op: 'eq', value: true }

type Viewings = Pick<Collection<ViewingDocument>, 'changedAt' | 'find' | 'position' | 'sum'>

export function createSettledViewings(viewings: Viewings): SettledViewings {
  const cache = createLruCache<Kept>(ROOM)

  async function kept<Item>(question: string, make: () => Promise<readonly Item[]>): Promise<readonly Item[]> {
    const now = (await viewings.changedAt(SETTLED)) ?? START
    const found = cache.get(question)
    if (found?.changedAt === now) return found.items as readonly Item[]
    // A store without transactions may show the change before the viewings that have changed.
    const isWhole = (await viewings.position()) >= now
    const items = await make()
    if (isWhole) cache.put(question, { items, changedAt: now }, items.length + 1)
    return items
  }

  return { kept, sum: (sums) => sumOf(viewings, sums, kept) }
}

/** For viewings as of an earlier time: they do not change, and are rarely requested twice, so nothing is cached. */
export function createPastViewings(viewings: Viewings): SettledViewings {
  const kept: SettledViewings['kept'] = (_, make) => make()
  return { kept, sum: (sums) => sumOf(viewings, sums, kept) }
}

async function sumOf(viewings: Viewings, { bucketOf, ...sums }: CoarseSums, kept: SettledViewings['kept']): Promise<readonly Sum[]> {
  const where = sums.where ?? []
  const over = { ...sums, where: [...where, OVER] }
  const question = JSON.stringify([collectionOf(view), bucketOf?.name, over])
  const settled = await kept(question, async () => coarser(await inParts(viewings, over), bucketOf))
  if (where.includes(OVER)) return settled
  const goingOn = coarser(sumsOf(await goingOnIn(viewings), sums), bucketOf)
  return goingOn.length === 0 ? settled : [...settled, ...goingOn]
}

function coarser(sums: readonly Sum[], bucketOf: CoarseSums['bucketOf']): readonly Sum[] {
  if (!bucketOf) return sums
  const groups = new Map<string, Sum>()
  for (const { bucket: store, keys, count, sum } of sums) {
    const bucket = store === null ? null : bucketOf(store)
    const key = JSON.stringify([bucket, keys])
    const group = groups.get(key)
    groups.set(key, { bucket, keys, count: count + (group?.count ?? 0), sum: sum + (group?.sum ?? 0) })
  }
  return [...groups.values()]
}

/** A query with too many groups is split into halves of its time range. */
async function inParts(viewings: Viewings, sums: Sums): Promise<readonly Sum[]> {
  try {
    return await viewings.sum(sums)
  } catch (error) {
    const halves = error instanceof TooManyGroups ? halvesOf(sums) : []
    if (halves.length === 0) throw error
    const all: Sum[] = []
    for (const half of halves) {
      for (const sum of await inParts(viewings, half)) all.push(sum)
      if (all.length > PARTS_MAX) throw new TooManyGroups(view.name)
    }
    return all
  }
}

/** Empty if the time range is unbounded or too short. */
function halvesOf(sums: Sums): readonly Sums[] {
  const where = sums.where ?? []
  const from = Math.max(...boundsOf(where, 'gte'))
  const to = Math.min(...boundsOf(where, 'lt'))
  if (!Number.isFinite(from + to) || to - from < SHORTEST_MS) return []
  const others = where.filter(({ field, op }) => field !== 'startedAt' || (op !== 'gte' && op !== 'lt'))
  const half = (fromMs: number, toMs: number): Sums => ({ ...sums, where: [...others, bound('gte', fromMs), bound('lt', toMs)] })
  const middle = Math.floor((from + to) / 2)
  return [half(from, middle), half(middle, to)]
}

const bound = (op: 'gte' | 'lt', ms: number): Filter => ({ field: 'startedAt', op, value: new Date(ms).toISOString() })

const boundsOf = (where: readonly Filter[], op: 'gte' | 'lt'): readonly number[] =>
  where.flatMap((filter) => (filter.field === 'startedAt' && filter.op === op ? [Date.parse(String(filter.value))] : []))
