/** Changes of movies within answers that are kept, so that marks show at once on every card. Pure. */

/** The marks of the person on one movie, as movies in lists have them. */
export interface Marks {
  readonly watched?: boolean
  readonly watchedAt?: string | null
  readonly position?: number
  readonly watchlist?: boolean
}

/** Lists of lists of movies: no answer is deeper. */
const DEPTH = 5

/**
 * The same data with the marks changed wherever the movie stands in it. What is not changed stays the same object, so that nothing else
 * is drawn again.
 */
export function patchMovie<T>(data: T, movieId: string, marks: Marks | Readonly<Record<string, unknown>>): T {
  return patchValue(data, { movieId, marks, depth: DEPTH }) as T
}

interface Patch {
  readonly movieId: string
  readonly marks: object
  readonly depth: number
}

function patchValue(value: unknown, patch: Patch): unknown {
  if (typeof value !== 'object' || value === null || patch.depth === 0) return value
  if (isMovie(value, patch.movieId)) return { ...value, ...patch.marks }
  const inner = { ...patch, depth: patch.depth - 1 }
  if (Array.isArray(value)) {
    const items = value.map((item) => patchValue(item, inner))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  const entries = Object.entries(value)
  const changed = entries.map(([name, member]) => [name, patchValue(member, inner)] as const)
  return changed.every(([, member], index) => member === entries[index]?.[1]) ? value : Object.fromEntries(changed)
}

const isMovie = (value: object, movieId: string): boolean => 'watched' in value && 'id' in value && value.id === movieId

/** Ids of the movies that stand in an answer. */
export function moviesIn(data: unknown, depth = DEPTH): readonly string[] {
  if (typeof data !== 'object' || data === null || depth === 0) return []
  const own = 'watched' in data && 'id' in data && typeof data.id === 'string' ? [data.id] : []
  return [...own, ...Object.values(data).flatMap((member) => moviesIn(member, depth - 1))]
}

interface Entry {
  readonly movieId: string
}

/** Without the movie: of a list to continue watching. */
export const withoutMovie = <T extends Entry>(items: readonly T[], movieId: string): readonly T[] =>
  items.some((item) => item.movieId === movieId) ? items.filter((item) => item.movieId !== movieId) : items

interface Placed extends Entry {
  readonly position: number
}

/** With the movie first and at its new position: of a list to continue watching. */
export const moveInRow = <T extends Placed>(items: readonly T[], { movieId, position }: Placed): readonly T[] => [
  ...items.filter((item) => item.movieId === movieId).map((item) => ({ ...item, position })),
  ...withoutMovie(items, movieId),
]
