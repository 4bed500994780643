/**
 * Sums over viewings. Results over finished viewings are cached, and viewings that finish later are added to them. Heartbeats, the largest
 * part of the log, change only viewings in progress, which are few and are summed again each time.
 */
import { collectionOf } from '../../../projections/views/view.ts'
import { viewings as view, type ViewingDocument } from '../../../projections/views/viewings.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import { GROUPS_MAX, TooManyGroups, type Filter, type Sum, type Sums } from '../../ports/read-store.ts'
import { goingOnIn, sumsOf } from './going-on.ts'
import type { IsIdle } from './idle-viewings.ts'
import { createSettledChanges, type Moment } from './settled-changes.ts'
import type { Collection } from '../read-models/read-models.ts'

export interface CoarseSums extends Sums {
  /** Maps a bucket of the store to a bucket of the answer. The cache knows a function by its name, so a name must have one meaning. */
  readonly bucketOf?: (bucket: number) => number
}

/** The parts of a sum. A group may come in several parts. */
export interface Parts {
  /** The same array as long as the cached result is valid. */
  readonly cached: readonly Sum[]
  readonly more: readonly Sum[]
}

export interface Question<Item> {
  /** Key in the cache. */
  readonly name: string
  /** Computes the items over viewings that match `finished`. */
  readonly make: (finished: Filter) => Promise<readonly Item[]>
  /** Adds finished viewings to the items. */
  readonly add: (items: readonly Item[], viewings: readonly ViewingDocument[]) => readonly Item[]
}

export interface Answer<Item> {
  readonly cached: readonly Item[]
  /** Viewings that are not part of `cached`: in progress, closed if they are idle, or finished later. */
  readonly more: readonly ViewingDocument[]
}

export interface SettledViewings {
  /** A group may come in several parts. @throws TooManyGroups if there are more than any answer can use */
  sum(sums: CoarseSums): Promise<readonly Sum[]>
  /** Several sums over the same state, in the order of `all`. */
  sumAll(all: readonly CoarseSums[]): Promise<readonly Parts[]>
  ask<Item>(question: Question<Item>): Promise<Answer<Item>>
}

interface Cached {
  readonly items: readonly unknown[]
  readonly moment: Moment
}

/** Cached items of all answers: about 30 MB. */
const ROOM = 200_000
const PARTS_MAX = 20 * GROUPS_MAX
const SHORTEST_MS = 1_000
/** If more viewings have finished since, they are added to the cached items. */
const MORE_MAX = 64
/** Attempts to compute an answer during which no viewing finishes. */
const ATTEMPTS = 3

/** No index starts with this field, so the store uses the index by time. */
export const OVER: Filter = { field: 'over', op: 'eq', value: true }

type Viewings = Pick<Collection<ViewingDocument>, 'find' | 'get' | 'getMany' | 'position' | 'sum'>
type Ask = SettledViewings['ask']
/** Runs a computation whose questions all see the same state. */
type AtOnce = <Result>(compute: (ask: Ask) => Promise<Result>) => Promise<Result>

export function createSettledViewings(viewings: Viewings, isIdle: IsIdle): SettledViewings {
  const cache = createLruCache<Cached>(ROOM)
  const changes = createSettledChanges(viewings)

  async function answerAt<Item>(moment: Moment, { name, make, add }: Question<Item>): Promise<Answer<Item>> {
    const found = cache.get(name)
    const more = found && changes.between(found.moment, moment)
    if (more && more.length <= MORE_MAX) return { cached: found.items as readonly Item[], more }
    const finished: Filter = { field: 'overSince', op: 'lte', value: moment.at }
    const items = more ? add(found.items as readonly Item[], more) : await make(finished)
    if (moment.isWhole) cache.put(name, { items, moment }, items.length + 1)
    return { cached: items, more: [] }
  }

  return settledOf(viewings, async (compute) => {
    for (let attempt = 1; ; attempt++) {
      const moment = await changes.look()
      const goingOn = await goingOnIn(viewings, isIdle)
      const result = await compute(async (question) => {
        const { cached, more } = await answerAt(moment, question)
        return { cached, more: [...more, ...goingOn] }
      })
      // A viewing that finished between the two reads is in neither.
      if (attempt === ATTEMPTS || (await changes.count()) === moment.changes) return result
    }
  })
}

/** For viewings as of an earlier time: they do not change, and are rarely requested twice, so nothing is cached. */
export function createPastViewings(viewings: Pick<Viewings, 'find' | 'sum'>, isIdle: IsIdle): SettledViewings {
  return settledOf(viewings, async (compute) => {
    const more = await goingOnIn(viewings, isIdle)
    return compute(async ({ make }) => ({ cached: await make(OVER), more }))
  })
}

function settledOf(viewings: Pick<Viewings, 'sum'>, atOnce: AtOnce): SettledViewings {
  const sumAll: SettledViewings['sumAll'] = (all) =>
    atOnce(async (ask) => {
      const parts: Parts[] = []
      for (const sums of all) {
        const { cached, more } = await ask(questionOf(viewings, sums))
        parts.push({ cached, more: partsOf(more, sums) })
      }
      return parts
    })
  return {
    sumAll,
    async sum(sums) {
      const parts = await sumAll([sums])
      return parts.flatMap(({ cached, more }) => (more.length === 0 ? cached : [...cached, ...more]))
    },
    ask: (question) => atOnce((ask) => ask(question)),
  }
}

function questionOf(viewings: Pick<Viewings, 'sum'>, coarse: CoarseSums): Question<Sum> {
  const { bucketOf, ...sums } = coarse
  return {
    name: JSON.stringify([collectionOf(view), bucketOf?.name, sums]),
    make: async (finished) => coarser(await sumInParts(viewings, { ...sums, where: [...(sums.where ?? []), finished] }), bucketOf),
    add: (items, finished) => coarser([...items, ...partsOf(finished, coarse)], (bucket) => bucket),
  }
}

/** One part for each viewing that matches. */
const partsOf = (viewings: readonly ViewingDocument[], { bucketOf, ...sums }: CoarseSums): readonly Sum[] =>
  coarser(sumsOf(viewings, sums), bucketOf)

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
export async function sumInParts(viewings: Pick<Viewings, 'sum'>, sums: Sums): Promise<readonly Sum[]> {
  try {
    return await viewings.sum(sums)
  } catch (error) {
    const halves = error instanceof TooManyGroups ? halvesOf(sums) : []
    if (halves.length === 0) throw error
    const all: Sum[] = []
    for (const half of halves) {
      for (const sum of await sumInParts(viewings, half)) all.push(sum)
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
