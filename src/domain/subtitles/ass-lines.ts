/** Lines of the events of ASS and SSA files: their columns, and the times in them. */

/** Columns of a Dialogue line where the file does not say. */
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

/** Columns that a Format line of events names; undefined for any other line. */
export function columnsIn(line: string): readonly string[] | undefined {
  const columns = /^Format:/i.test(line) ? columnsOf(line) : []
  return columns.at(-1) === 'text' ? columns : undefined
}

/** Both kinds of lines have about twenty; each is looked for by name in every line that follows. */
export const MOST_COLUMNS = 100

/** Columns of a Format line. */
export const columnsOf = (line: string): readonly string[] =>
  line
    .slice('Format:'.length)
    .split(',', MOST_COLUMNS)
    .map((column) => column.trim().toLowerCase())

/** Fields of a Dialogue line, as they are; undefined for any other line. The text, which is last, may hold commas. */
export function dialogueIn(line: string): readonly string[] | undefined {
  return /^Dialogue:/i.test(line) ? line.slice('Dialogue:'.length).split(',') : undefined
}

/** Of a time as hundredths, as in files, or as milliseconds, as in what was read out of a film; undefined for what is none. */
export function assTimeMs(time: string): number | undefined {
  const [, hours, minutes, seconds, fraction] = /^(\d{1,3}):(\d{1,2}):(\d{1,2})[.,:](\d{1,3})$/.exec(time) ?? []
  if (fraction === undefined) return undefined
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'))
}
