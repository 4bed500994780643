/**
 * Keeps the orders of filtered lists: the ids of all movies of a list. A page is then read by its ids, and the total is known. Otherwise
 * each page walks an index past all movies that do not match, and a total counts all that do.
 *
 * An order is made at the second request for its list, since it costs as much as a total, and most lists are requested once. It holds until
 * the tag of the list changes.
 */
import { createLruCache } from '../../concurrency/lru-cache.ts'

export interface ListOrder {
  readonly total: number
  /** -1: the movie is not in the list. */
  indexOf(id: string): number
  ids(from: number, to: number): readonly string[]
}

export interface ListOrders {
  /**
   * The order of the list; undefined at the first request for it, and of a list that is too long. `tag` returns the list's current tag
   * (change-positions.ts), `make` all ids in order.
   */
  of(key: string, tag: () => string | undefined, make: () => AsyncIterable<readonly string[]>): Promise<ListOrder | undefined>
}

interface Kept {
  readonly tag: string
  /** Unset after the first request. */
  readonly order?: Promise<ListOrder | undefined>
}

/** About 190,000 ids. */
const CHARACTERS_MAX = 4 * 1024 * 1024
/** Maximum share of one order. In a longer list the next match is never far. */
const SHARE = 1 / 16

export function createListOrders(charactersMax = CHARACTERS_MAX): ListOrders {
  const kept = createLruCache<Kept>(charactersMax)

  async function made(key: string, tag: () => string | undefined, make: () => AsyncIterable<readonly string[]>) {
    const before = tag()
    const text = await joined(make(), charactersMax * SHARE)
    // Something changed meanwhile: the parts may not fit together.
    if (before === undefined || tag() !== before) {
      kept.remove(key)
      return undefined
    }
    const order = text === undefined ? undefined : orderOf(text)
    kept.put(key, { tag: before, order: Promise.resolve(order) }, key.length + (text?.length ?? 0))
    return order
  }

  return {
    async of(key, tag, make) {
      const now = tag()
      if (now === undefined) return undefined
      const known = kept.get(key)
      if (known?.tag !== now) {
        kept.put(key, { tag: now }, key.length)
        return undefined
      }
      if (known.order) return known.order
      const order = made(key, tag, make)
      kept.put(key, { tag: now, order }, key.length)
      order.catch(() => kept.remove(key))
      return order
    },
  }
}

const SEPARATOR = '\n'

/** One text, which costs the garbage collector nothing. Undefined: it is too long. */
async function joined(parts: AsyncIterable<readonly string[]>, charactersMax: number): Promise<string | undefined> {
  const texts: string[] = []
  let characters = 0
  for await (const ids of parts) {
    if (ids.length === 0) continue
    const text = ids.join(SEPARATOR)
    characters += text.length
    if (characters > charactersMax) return undefined
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
