/** Which rows of a long list the window shows, and where it must be to show one. All rows are equally high. Pure. */

export interface RowView {
  readonly rows: number
  readonly rowPx: number
  /** Of the list's upper edge in the page. */
  readonly marginPx: number
  /** How far the page is scrolled. */
  readonly offsetPx: number
  /** Of the window. */
  readonly heightPx: number
  /** What bars cover at the window's edges. */
  readonly coveredStartPx: number
  readonly coveredEndPx: number
  /** Rows that exist beyond each edge. */
  readonly overscan: number
}

/** The first row that exists, and the one after the last. */
export function boundsIn({ rows, rowPx, marginPx, offsetPx, heightPx, overscan }: RowView): {
  readonly first: number
  readonly end: number
} {
  const top = Math.max(0, offsetPx) - marginPx
  const first = Math.min(Math.max(0, Math.floor(top / rowPx) - overscan), Math.max(0, rows - 1))
  const end = Math.min(rows, Math.max(first + 1, Math.ceil((top + heightPx) / rowPx) + overscan))
  return { first, end: Math.max(first, end) }
}

/** Numbers of the rows that exist, in rising order. */
export function rowsIn(view: RowView): readonly number[] {
  const { first, end } = boundsIn(view)
  return Array.from({ length: end - first }, (_, n) => first + n)
}

/** The row at the upper edge of what no bar covers: rows that are drawn above it are not seen. */
export const firstSeenRow = ({ rowPx, marginPx, offsetPx, coveredStartPx }: RowView): number =>
  Math.max(0, Math.round((offsetPx + coveredStartPx - marginPx) / rowPx))

/** Whether the whole row is in the window, and no bar covers it. */
export const isRowSeen = (view: RowView, row: number): boolean => offsetFor(view, row, 'nearest') === view.offsetPx

/** `nearest`: as little as possible, and not at all if the row is seen. */
export type RowAlign = 'start' | 'nearest'

/** How far to scroll the page so that a row is seen. */
export function offsetFor(view: RowView, row: number, align: RowAlign): number {
  const { rowPx, marginPx, offsetPx, heightPx, coveredStartPx, coveredEndPx } = view
  const top = marginPx + row * rowPx
  const atStart = Math.max(0, top - coveredStartPx)
  if (align === 'start' || top < offsetPx + coveredStartPx) return atStart
  const atEnd = top + rowPx + coveredEndPx - heightPx
  return atEnd > offsetPx ? atEnd : offsetPx
}

/** Whether both show the same. */
export function isSameWindow(one: RowView, other: RowView): boolean {
  const [bounds, others] = [boundsIn(one), boundsIn(other)]
  return bounds.first === others.first && bounds.end === others.end && firstSeenRow(one) === firstSeenRow(other)
}
