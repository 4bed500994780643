/** Adds up counted values of movies, such as genres. */
import { foldText } from '../../vocabulary/text.ts'
import type { Tallied } from '../../ports/read-store.ts'

/**
 * Values that differ only in case or diacritics are one, as in filters, in the spelling of most movies. Most frequent first. The values of a
 * single movie are told apart already (`distinctNames`).
 */
export function rankTallies(rows: Iterable<Tallied>, max: number): readonly Tallied[] {
  const sums = new Map<string, { count: number; readonly spellings: Map<string, number> }>()
  for (const { value, count } of rows) {
    const key = foldText(value)
    const sum = sums.get(key) ?? { count: 0, spellings: new Map() }
    sum.count += count
    sum.spellings.set(value, (sum.spellings.get(value) ?? 0) + count)
    sums.set(key, sum)
  }
  return [...sums.values()]
    .map(({ count, spellings }) => ({ value: first(spellings), count }))
    .sort(byFrequency)
    .slice(0, max)
}

function first(spellings: ReadonlyMap<string, number>): string {
  const [most] = [...spellings].map(([value, count]) => ({ value, count })).sort(byFrequency)
  return most?.value ?? ''
}

const byFrequency = (a: Tallied, b: Tallied) => b.count - a.count || (a.value < b.value ? -1 : 1)
