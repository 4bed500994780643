/** Which pages of a long list a window needs, and when they are asked for. Pure. */

export const PAGE_SIZE = 100
/** Kept at once: ten pages hold the window and what is near it. */
export const MOST_PAGES = 10
/** While the scroll bar is dragged nothing is asked for until it rests. */
export const REST_MS = 120

export interface Anchor {
  readonly index: number
  readonly label: string | null
  readonly cursor: string | null
}

/** First and last index of what is shown, both included. */
export interface Span {
  readonly first: number
  readonly last: number
}

/** Numbers of the pages that hold the span, and of the one ahead if the window is within a screen of it. */
export function pagesFor({ first, last }: Span, total: number): readonly number[] {
  if (total === 0) return []
  const screen = last - first + 1
  const [from, to] = [first, Math.min(total - 1, last + screen)].map((index) => Math.floor(Math.max(0, index) / PAGE_SIZE))
  return Array.from({ length: (to ?? 0) - (from ?? 0) + 1 }, (_, offset) => (from ?? 0) + offset)
}

/** Whether the pages follow on those that are held: then the window moves on, and nobody drags a scroll bar. */
export const isNear = (pages: readonly number[], held: readonly number[]): boolean =>
  held.length === 0 || pages.every((page) => held.some((one) => Math.abs(one - page) <= 1))

/** Of the pages that are held, those to give up: the ones farthest from the window. */
export function pagesToDrop(held: readonly number[], shown: readonly number[]): readonly number[] {
  const middle = ((shown[0] ?? 0) + (shown.at(-1) ?? 0)) / 2
  const byDistance = [...held].sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle))
  return byDistance.slice(MOST_PAGES)
}

/** Where page n begins; undefined if the list has no such page. */
export const anchorOf = (anchors: readonly Anchor[], page: number): Anchor | undefined =>
  anchors.find(({ index }) => index === page * PAGE_SIZE)

/** The label of the last anchor at or before an index: what a bubble beside the scroll bar shows. */
export function labelAt(anchors: readonly Anchor[], index: number): string | null {
  let label: string | null = null
  for (const anchor of anchors) if (anchor.index <= index) label = anchor.label
  return label
}

/** Where an arrow key leads in a grid; undefined if it is no arrow, or leads out of the list. */
export function indexByKey(key: string, { index, columns, total, isRightToLeft }: GridPlace): number | undefined {
  const side = isRightToLeft ? -1 : 1
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: side,
    ArrowLeft: -side,
    ArrowDown: columns,
    ArrowUp: -columns,
    Home: -index,
    End: total - 1 - index,
  }
  const step = steps[key]
  const next = step === undefined ? undefined : index + step
  return next === undefined || next < 0 || next >= total ? undefined : next
}

export interface GridPlace {
  readonly index: number
  readonly columns: number
  readonly total: number
  readonly isRightToLeft: boolean
}
