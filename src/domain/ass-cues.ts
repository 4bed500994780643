/** Cues of ASS and SSA files: the words and the line at the top, not the typesetting. */
import { escapeText, lineAtTop } from './cue-text.ts'
import type { Cue } from './subtitle-cues.ts'
import { cueOf, MAX_CUES } from './subtitle-cues.ts'

/** Columns of a Dialogue line where the file does not say. */
const COLUMNS = ['layer', 'start', 'end', 'style', 'name', 'marginl', 'marginr', 'marginv', 'effect', 'text']

export function readAss(text: string): readonly Cue[] {
  const cues: Cue[] = []
  let columns: readonly string[] = COLUMNS
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (cues.length >= MAX_CUES) break
    const format = /^Format:(.*\bText)\s*$/i.exec(line)?.[1]
    if (format !== undefined) columns = format.split(',').map((column) => column.trim().toLowerCase())
    else if (/^Dialogue:/i.test(line)) cues.push(...dialogue(line.slice('Dialogue:'.length), columns))
  }
  return withoutLayers(cues)
}

/** The text is the last column and may hold commas. */
function dialogue(line: string, columns: readonly string[]): readonly Cue[] {
  const fields = line.split(',')
  const field = (name: string): string => fields[columns.indexOf(name)]?.trim() ?? ''
  const raw = fields.slice(columns.length - 1).join(',')
  const [startMs, endMs] = [milliseconds(field('start')), milliseconds(field('end'))]
  const isDrawing = /\{[^{}]{0,500}\\p[1-9]/.test(raw)
  if (startMs === undefined || endMs === undefined || isDrawing) return []
  return cueOf({ startMs, endMs, settings: lineAtTop(raw), text: markup(raw) })
}

/** `{\i1}` and `{\i0}` become tags, other codes go. */
function markup(raw: string): string {
  return raw
    .split(/(\{[^{}]*\})/)
    .map((piece, index) => (index % 2 === 1 ? italics(piece) : escapeText(piece.replaceAll('\\N', '\n').replaceAll(/\\[nh]/g, ' '))))
    .join('')
}

function italics(codes: string): string {
  const on = /\\i([01])(?!\d)/.exec(codes)?.[1]
  if (on === undefined) return ''
  return on === '1' ? '<i>' : '</i>'
}

/** Typesetters lay the same words over each other, for a border or a shadow. */
function withoutLayers(cues: readonly Cue[]): readonly Cue[] {
  return [...new Map(cues.map((cue) => [`${cue.startMs} ${cue.endMs} ${cue.text}`, cue])).values()]
}

function milliseconds(time: string): number | undefined {
  const [, hours, minutes, seconds, hundredths] = /^(\d{1,3}):(\d{1,2}):(\d{1,2})[.,:](\d{1,2})$/.exec(time) ?? []
  if (hundredths === undefined) return undefined
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(hundredths.padEnd(2, '0')) * 10
}
