/**
 * Keeps the orders of filtered lists: the ids of all movies of a list. A page is then read by its ids, and the total is known. Otherwise
 * each page walks an index past all movies that do not match, and a total counts all that do.
 *
 * An order is made after the second request for its list, since it costs more than a total, and most lists are requested once. Nobody waits
 * for it. It holds until the tag of the list changes.
 */
import { setImmediate } from 'node:timers/promises'
import { createLruCache } from '../../concurrency/lru-cache.ts'

export interface ListOrder {
  readonly total: number
  /** -1: the movie is not in the list. */
  indexOf(id: string): number
  ids(from: number, to: number): readonly string[]
}

export interface ListOrders {
  /** The order of the list; undefined until it has been made, and of a list that is too long. */
  of(key: string, list: OrderedList): ListOrder | undefined
}

export interface OrderedList {
  /** The list's current tag (change-positions.ts). */
  readonly tag: () => string | undefined
  /** All ids in order. */
  readonly ids: () => AsyncIterable<readonly string[]>
  /** Most movies that it may have; unset: only memory bounds it. */
  readonly longest?: () => Promise<number>
}

interface Kept {
  readonly tag: string
  readonly order: ListOrder | 'requested' | 'making' | 'too-long'
}

/** About 190,000 ids. */
const CHARACTERS_MAX = 4 * 1024 * 1024
/** Maximum share of one order. In a longer list the next match is never far. */
const SHARE = 1 / 16
/** Orders that are made at once. */
const MAKING_MAX = 2

export function createListOrders(charactersMax = CHARACTERS_MAX): ListOrders {
  const kept = createLruCache<Kept>(charactersMax)
  let making = 0

  /** A failure is not reported: the request for the page meets it, too. */
  async function make(key: string, { tag, ids, longest }: OrderedList): Promise<void> {
    const before = tag()
    if (before === undefined) return
    making++
    kept.put(key, { tag: before, order: 'making' }, key.length)
    try {
      await setImmediate()
      const idsMax = longest ? await longest() : Infinity
      const text = await joined(ids(), { charactersMax: charactersMax * SHARE, idsMax })
      // If something changed meanwhile, the parts may not fit together.
      if (tag() !== before) kept.remove(key)
      else kept.put(key, { tag: before, order: text === undefined ? 'too-long' : orderOf(text) }, key.length + (text?.length ?? 0))
    } catch {
      kept.remove(key)
    } finally {
      making--
    }
  }

  return {
    of(key, list) {
      const now = list.tag()
      if (now === undefined) return undefined
      const { tag: before, order = 'requested' } = kept.get(key) ?? {}
      // A list that was too long is expected to stay so.
      if (order === 'too-long') return undefined
      if (before !== now) kept.put(key, { tag: now, order: 'requested' }, key.length)
      else if (order === 'requested' && making < MAKING_MAX) void make(key, list)
      return before === now && typeof order === 'object' ? order : undefined
    },
  }
}

const SEPARATOR = '\n'

/** One text, which costs the garbage collector nothing. Undefined: it is too long. */
async function joined(
  parts: AsyncIterable<readonly string[]>,
  { charactersMax, idsMax }: { readonly charactersMax: number; readonly idsMax: number },
): Promise<string | undefined> {
  const texts: string[] = []
  let [characters, count] = [0, 0]
  for await (const ids of parts) {
    if (ids.length === 0) continue
    const text = ids.join(SEPARATOR)
    characters += text.length
    count += ids.length
    if (characters > charactersMax || count > idsMax) return undefined
    texts.push(text)
  }
  return texts.join(SEPARATOR)
}

/** All ids have the same length. */
function orderOf(text: string): ListOrder {
  const end = text.indexOf(SEPARATOR)
  const width = (end < 0 ? text.length : end) + SEPARATOR.length
  const total = text === '' ? 0 : (text.length + SEPARATOR.length) / width
  return {
    total,
    indexOf(id) {
      const at = id.length + SEPARATOR.length === width ? text.indexOf(id) : -1
      return at < 0 ? -1 : at / width
    },
    ids: (from, to) => (from >= Math.min(to, total) ? [] : text.slice(from * width, to * width - SEPARATOR.length).split(SEPARATOR)),
  }
}
