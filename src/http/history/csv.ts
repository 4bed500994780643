/** Tables as CSV (RFC 4180), one header line first. */

export type Cell = string | number | boolean | null

export const CSV = 'text/csv; charset=utf-8'

/** Spreadsheets take a cell that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/
const QUOTED = /[",\r\n]/

export const csvOf = (header: readonly string[], rows: readonly (readonly Cell[])[]): string => [header, ...rows].map(csvLine).join('')

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(',')}\r\n`

function cellOf(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell ?? '')
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
