/** The table of a plot, and as a file. Pure. */

export interface Cell {
  readonly text: string
  /** Where the rows are that a number counts. */
  readonly to?: string
  /** For the file, if it is not the text: a number without its unit. */
  readonly raw?: string | number
}

export interface TableOf {
  readonly head: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** RFC 4180. A text that a spreadsheet would take for a formula is marked as text. */
export function csvOf({ head, rows }: TableOf): string {
  const lines = [head, ...rows.map((row) => row.map(({ text, raw }) => raw ?? text))]
  return lines.map((line) => `${line.map(field).join(',')}\r\n`).join('')
}

function field(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
