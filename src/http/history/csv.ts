/** Formats tables as CSV (RFC 4180), with a header line first. */

export type Cell = string | number | boolean | null

export const CSV = 'text/csv; charset=utf-8'

/** Spreadsheets interpret a cell with such a start as a formula. */
const FORMULA = /^[=+\-@\t\r]/
const QUOTED = /[",\r\n]/

export const csvOf = (header: readonly string[], rows: readonly (readonly Cell[])[]): string => [header, ...rows].map(csvLine).join('')

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(',')}\r\n`

function cellOf(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell ?? '')
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
