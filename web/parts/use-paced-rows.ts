/** Fills the rows that come near the window over some frames. */
import { useEffect, useReducer, useRef } from 'preact/hooks'
import { nextCells, type PacedRows } from '../data/paced-rows.ts'

/** How many cells of a row to draw now. It draws again until all rows are complete. */
export function usePacedRows(rows: PacedRows): (row: number) => number {
  const [, drawAgain] = useReducer<number, undefined>((n) => n + 1, 0)
  const cells = useRef<ReadonlyMap<number, number>>(new Map())
  cells.current = nextCells(rows, cells.current)
  const drawn = cells.current
  const isComplete = [...drawn.values()].every((count) => count === rows.columns)
  useEffect(() => {
    if (isComplete) return undefined
    const frame = requestAnimationFrame(() => drawAgain(undefined))
    return () => cancelAnimationFrame(frame)
  })
  return (row) => drawn.get(row) ?? rows.columns
}
