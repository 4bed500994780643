/** Parses event lines of ASS and SSA files: their columns, and the times in them. */

/** Columns of a Dialogue line if the file does not name them. */
export const USUAL_COLUMNS: readonly string[] = [
  'layer',
  'start',
  'end',
  'style',
  'name',
  'marginl',
  'marginr',
  'marginv',
  'effect',
  'text',
]

/** Columns in a Format line of events; undefined for any other line. */
export function columnsIn(line: string): readonly string[] | undefined {
  const columns = /^Format:/i.test(line) ? columnsOf(line) : []
  return columns.at(-1) === 'text' ? columns : undefined
}

/** Both kinds of lines have about twenty; each is looked up by name in every following line. */
export const MOST_COLUMNS = 100

/** Columns of a Format line. */
export const columnsOf = (line: string): readonly string[] =>
  line
    .slice('Format:'.length)
    .split(',', MOST_COLUMNS)
    .map((column) => column.trim().toLowerCase())

/** Raw fields of a Dialogue line; undefined for any other line. The text, which is last, may contain commas. */
export function dialogueIn(line: string): readonly string[] | undefined {
  return /^Dialogue:/i.test(line) ? line.slice('Dialogue:'.length).split(',') : undefined
}

/** Parses a time with hundredths, as in files, or with milliseconds, as extracted from a film; undefined if invalid. */
export function assTimeMs(time: string): number | undefined {
  const [, hours, minutes, seconds, fraction] = /^(\d{1,3}):(\d{1,2}):(\d{1,2})[.,:](\d{1,3})$/.exec(time) ?? []
  if (fraction === undefined) return undefined
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'))
}
