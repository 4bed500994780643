/** Parses CSV as defined in RFC 4180. */

export interface Csv {
  /** The fields of the first line. */
  readonly columns: readonly string[]
  /** Each further line, by column. */
  readonly rows: readonly ReadonlyMap<string, string>[]
  /** The last line has fewer fields than the first: the rest of the file is missing. */
  readonly isCutOff: boolean
}

export function readCsv(text: string): Csv {
  const [columns = [], ...lines] = linesOf(text.replace(/^\uFEFF/, ''))
  const rows = lines.map((line) => new Map(columns.map((column, n) => [column, line[n] ?? ''])))
  return { columns, rows, isCutOff: (lines.at(-1) ?? columns).length < columns.length }
}

/** Lines without any text are left out. */
function linesOf(text: string): readonly (readonly string[])[] {
  const lines: string[][] = []
  let line: string[] = []
  for (let at = 0; at < text.length;) {
    const { field, end } = text[at] === '"' ? quotedField(text, at + 1) : plainField(text, at)
    line.push(field)
    at = end + 1
    if (text[end] === ',' && at < text.length) continue
    if (text[end] === ',') line.push('')
    if (line.some((one) => one !== '')) lines.push(line)
    line = []
  }
  return lines
}

interface Field {
  readonly field: string
  /** Index of the comma or line feed after it. */
  readonly end: number
}

function plainField(text: string, start: number): Field {
  let end = start
  while (end < text.length && text[end] !== ',' && text[end] !== '\n') end += 1
  return { field: withoutReturn(text.slice(start, end)), end }
}

/** Two quotes stand for one. A field with unterminated quotes extends to the end of the text. */
function quotedField(text: string, start: number): Field {
  const parts: string[] = []
  for (let from = start; ;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) return { field: [...parts, text.slice(from)].join('"'), end: text.length }
    parts.push(text.slice(from, quote))
    from = quote + 2
    if (text[quote + 1] === '"') continue
    const { field, end } = plainField(text, quote + 1)
    return { field: parts.join('"') + field, end }
  }
}

const withoutReturn = (field: string): string => (field.endsWith('\r') ? field.slice(0, -1) : field)
