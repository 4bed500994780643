/**
 * Computes anchors of a list: every n-th movie and the first of each letter, with the points at which pages that start there continue. For
 * clients that show many thousands of movies as one scrolling list and load the visible pages.
 */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { Json } from '../../events/envelope.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { PagePoint } from '../read-models/page.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { listPlaces, pointBefore } from './list-places.ts'
import type { ListViewer } from './movie-list.ts'
import { ownMembership } from './own-marks.ts'
import { filtersOf, type MovieQuery, type MovieSort } from './movie-query.ts'

export interface Anchor {
  /** From 0. */
  readonly index: number
  readonly label: string | null
  /** A page after this point starts with the movie; null for the first page. */
  readonly after: PagePoint | null
}

export interface MovieAnchors {
  /** Number of movies in the list. */
  readonly total: number
  readonly items: readonly Anchor[]
  /** The first movie of each letter, if the list is sorted by title. */
  readonly letters: readonly Anchor[]
}

export interface AnchorsRequest extends MovieQuery {
  /** Number of movies between two anchors. */
  readonly every: number
}

export const ANCHORS_MAX = 1000
export const LETTERS_MAX = 60

/** Refusals: `invalid` with path `every` for too many anchors, or `seed` for a random order that another request could not repeat. */
export async function anchorsOf(
  readModels: ReadModels,
  { userId, libraryIds }: ListViewer,
  { every, ...query }: AnchorsRequest,
): Promise<MovieAnchors | Refusal> {
  const { sort, order, seed } = query
  if (sort === 'random' && seed === undefined) return refuse('invalid', 'is needed for anchors of a random order', { path: 'seed' })
  const own = await ownMembership(readModels, userId, query)
  const among = query.ids ?? own.among
  const where = filtersOf(query, libraryIds)
  const found = collectAnchors(sort, every)
  for await (const places of listPlaces(readModels, sort, { userId, where, order, seed: seed ?? 0, ...omitUndefined({ among }) })) {
    for (const place of places) if (own.fits(place.id)) found.add(place)
  }
  return found.anchors()
}

function collectAnchors(sort: MovieSort, every: number) {
  const labelOf = LABELS[sort] ?? (() => null)
  const items: Anchor[] = []
  const letters = new Map<string, Anchor>()
  let total = 0
  return {
    add(place: PagePoint): void {
      const index = total++
      const isAnchor = index % every === 0 && items.length < ANCHORS_MAX
      if (!isAnchor && sort !== 'title') return
      const label = labelOf(place.value)
      const isFirst = sort === 'title' && label !== null && letters.size < LETTERS_MAX && !letters.has(label)
      if (!isAnchor && !isFirst) return
      const anchor = { index, label, after: index === 0 ? null : pointBefore(place) }
      if (isAnchor) items.push(anchor)
      if (isFirst) letters.set(label, anchor)
    },
    anchors(): MovieAnchors | Refusal {
      const least = Math.ceil(total / ANCHORS_MAX)
      if (every < least) return refuse('invalid', `must be at least ${least} for a list of ${total} movies`, { path: 'every' })
      return { total, items, letters: [...letters.values()] }
    },
  }
}

type Label = (value: Json) => string | null

const textOf = (value: Json, length: number): string | null => (typeof value === 'string' ? value.slice(0, length) : null)
const MONTH = 'YYYY-MM'.length
const YEAR = 'YYYY'.length

const LABELS: Readonly<Partial<Record<MovieSort, Label>>> = {
  title: letterOf,
  year: (value) => (typeof value === 'number' ? String(value) : null),
  releaseDate: (value) => textOf(value, YEAR),
  addedAt: (value) => textOf(value, MONTH),
  lastPlayedAt: (value) => textOf(value, MONTH),
  rating: (value) => (typeof value === 'number' ? String(Math.floor(value)) : null),
}

/** For a folded sort title: its first letter, or `#`. */
function letterOf(value: Json): string {
  const [first = ''] = typeof value === 'string' ? value : ''
  return /^\p{L}$/u.test(first) ? first.toUpperCase() : '#'
}
