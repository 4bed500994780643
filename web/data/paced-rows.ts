/** How many cells of each row of a window are drawn in the next frame. Pure. */

export interface PacedRows {
  /** Numbers of the rows to draw. */
  readonly shown: readonly number[]
  readonly isSeen: (row: number) => boolean
  readonly columns: number
}

/** A row out of sight is spread over so many frames: as a whole it takes a slow phone longer than one. */
const FRAMES_A_ROW = 3

/** The number of cells by row, after one more frame. Rows that are seen are complete at once. */
export function nextCells({ shown, isSeen, columns }: PacedRows, before: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  let left = Math.ceil(columns / FRAMES_A_ROW)
  const cells = new Map<number, number>()
  for (const row of shown) {
    const had = before.get(row) ?? 0
    if (isSeen(row) || had >= columns) {
      cells.set(row, columns)
      continue
    }
    const more = Math.min(left, columns - had)
    left -= more
    cells.set(row, had + more)
  }
  return cells
}
