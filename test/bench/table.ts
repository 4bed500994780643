/** Prints the table of a benchmark: the subject, our result, the yardstick of the same run, and whether the goal is met. */

export interface Row {
  readonly what: string
  readonly ours: string
  readonly yardstick?: string
  /** Ours divided by the yardstick. */
  readonly ratio?: number
  readonly goal?: string
  readonly met?: boolean
  /** Makes the whole run fail. */
  readonly isFailure?: true
}

export type Report = (row: Row) => void

const HEAD = ['what', 'ours', 'yardstick', 'ratio', 'goal', 'met']

export function printTable(rows: readonly Row[]): void {
  const cells = [HEAD, ...rows.map(cellsOf)]
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  for (const row of cells)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

const cellsOf = ({ what, ours, yardstick = '', ratio, goal = '', met }: Row): readonly string[] => [
  what,
  ours,
  yardstick,
  ratio === undefined ? '' : `${ratio.toFixed(2)}x`,
  goal,
  met === undefined ? '' : met ? 'met' : 'NOT MET',
]

export interface Quantiles {
  readonly p50: number
  readonly p99: number
}

/** NaN if there are no values. */
export function quantiles(values: readonly number[]): Quantiles {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? NaN
  return { p50: at(0.5), p99: at(0.99) }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

export const wholeNumber = (value: number): string => Math.round(value).toLocaleString('en')
