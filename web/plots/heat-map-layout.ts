/** Cells of the hours of a week. Pure. */

export const WEEK_CELLS = 168
const HOURS = 24
const GAP = 2
/** Steps of colour above none. */
const LEVELS = 5

export interface WeekBox {
  readonly width: number
  readonly start: number
  readonly top: number
  readonly row: number
}

export function weekCell(index: number, { width, start, top, row }: WeekBox) {
  const wide = (width - start) / HOURS
  return {
    x: start + (index % HOURS) * wide,
    y: top + Math.floor(index / HOURS) * row,
    width: Math.max(1, wide - GAP),
    height: row - GAP,
  }
}

/** 0 only for nothing at all, 5 for the most. */
export const levelOf = (value: number, most: number): number =>
  value <= 0 || most <= 0 ? 0 : Math.max(1, Math.min(LEVELS, Math.ceil((value / most) * LEVELS)))

/** Index of the largest number; undefined if all are 0. */
export function mostIn(values: readonly number[]): number | undefined {
  const most = Math.max(0, ...values)
  return most === 0 ? undefined : values.indexOf(most)
}
