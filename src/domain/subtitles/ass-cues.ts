/** Reads cues of ASS and SSA files: text, italics, bold words and lines at the top. Other typesetting is dropped. */
import { assTimeMs, columnsIn, dialogueIn, USUAL_COLUMNS } from './ass-lines.ts'
import { createAssStyles, type AssStyles } from './ass-styles.ts'
import { escapeText, lineAtTop } from './cue-text.ts'
import type { Cue } from '../../vocabulary/cue.ts'
import { cueOf, MAX_CUES } from './subtitle-cues.ts'

export function readAss(text: string): readonly Cue[] {
  const cues: Cue[] = []
  const styles = createAssStyles()
  let columns: readonly string[] = USUAL_COLUMNS
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (cues.length >= MAX_CUES) break
    if (styles.read(line)) continue
    columns = columnsIn(line) ?? columns
    const fields = dialogueIn(line)
    if (fields) cues.push(...dialogue(fields, columns, styles))
  }
  return withoutLayers(cues)
}

function dialogue(fields: readonly string[], columns: readonly string[], styles: AssStyles): readonly Cue[] {
  const field = (name: string): string => fields[columns.indexOf(name)]?.trim() ?? ''
  const raw = fields.slice(columns.length - 1).join(',')
  const [startMs, endMs] = [assTimeMs(field('start')), assTimeMs(field('end'))]
  if (startMs === undefined || endMs === undefined) return []
  const style = field('style')
  const isPlaced = /\{[^{}]{0,200}\\an?\d/.test(raw)
  const settings = isPlaced ? lineAtTop(raw) : styles.named(style).top ? 'line:0' : ''
  return cueOf({ startMs, endMs, settings, text: markup(raw, style, styles) })
}

interface Look {
  readonly italic: boolean
  readonly bold: boolean
  /** The following text draws a shape. */
  readonly drawing: boolean
}

/** Bold is kept for single words, but not for styles: many files make all subtitles bold just for readability. */
function markup(raw: string, style: string, styles: AssStyles): string {
  const plain = (name: string): Look => ({ italic: styles.named(name).italic, bold: false, drawing: false })
  let look = plain(style)
  let text = ''
  for (const [index, piece] of raw.split(/(\{[^{}]*\})/).entries()) {
    if (index % 2 === 1) look = changed(look, piece, (name) => plain(name === '' ? style : name))
    else if (!look.drawing) text += tagged(escapeText(piece.replaceAll('\\N', '\n').replaceAll(/\\[nh]/g, ' ')), look)
  }
  return text.replaceAll('</b></i><i><b>', '').replaceAll('</i><i>', '').replaceAll('</b><b>', '')
}

function changed(look: Look, codes: string, reset: (style: string) => Look): Look {
  let now = look
  for (const [, reseted, code, value] of codes.matchAll(/\\(?:r([^\\}]*)|([ibp])(\d{1,3})(?!\d))/g)) {
    if (reseted !== undefined) now = { ...reset(reseted.trim()), drawing: now.drawing }
    else if (code === 'i') now = { ...now, italic: value !== '0' }
    // Weights from 600 on count as bold.
    else if (code === 'b') now = { ...now, bold: value === '1' || Number(value) >= 600 }
    else now = { ...now, drawing: value !== '0' }
  }
  return now
}

function tagged(text: string, { italic, bold }: Look): string {
  if (text.trim() === '') return text
  const inner = bold ? `<b>${text}</b>` : text
  return italic ? `<i>${inner}</i>` : inner
}

/** Typesetters stack the same text in layers, for a border or a shadow. */
function withoutLayers(cues: readonly Cue[]): readonly Cue[] {
  return [...new Map(cues.map((cue) => [`${cue.startMs} ${cue.endMs} ${cue.text}`, cue])).values()]
}
