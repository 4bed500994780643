/** Reads the styles of ASS and SSA files as far as WebVTT can express them: italics, and lines at the top of the video. */
import { columnsOf, MOST_COLUMNS } from './ass-lines.ts'

export interface AssStyle {
  readonly italic: boolean
  readonly top: boolean
}

export interface AssStyles {
  /** Reads a line of the file; true if it concerned styles. */
  read(line: string): boolean
  /** For an unknown name: upright, at the bottom. */
  named(name: string): AssStyle
}

const PLAIN: AssStyle = { italic: false, top: false }
const COLUMNS = (
  'name,fontname,fontsize,primarycolour,secondarycolour,outlinecolour,backcolour,bold,italic,underline,strikeout,scalex,scaley,spacing,angle,' +
  'borderstyle,outline,shadow,alignment'
).split(',')
/** Alignments at the top: in numeric keypad order, and in SSA's numbering. */
const TOP: ReadonlySet<string> = new Set(['7', '8', '9'])
const TOP_OF_SSA: ReadonlySet<string> = new Set(['5', '6', '7'])

export function createAssStyles(): AssStyles {
  const styles = new Map<string, AssStyle>()
  let columns: readonly string[] = COLUMNS
  let top = TOP
  return {
    named: (name) => styles.get(key(name)) ?? PLAIN,
    read(line) {
      if (/^\[V4\+? Styles/i.test(line)) {
        top = line.includes('+') ? TOP : TOP_OF_SSA
        return true
      }
      const format = stylesIn(line)
      columns = format ?? columns
      const style = /^Style:/i.test(line) ? line.slice('Style:'.length).split(',', MOST_COLUMNS) : undefined
      const field = (name: string): string => style?.[columns.indexOf(name)]?.trim() ?? ''
      if (style) styles.set(key(field('name')), { italic: !/^0*$/.test(field('italic')), top: top.has(field('alignment')) })
      return style !== undefined || format !== undefined
    },
  }
}

/** Columns in a Format line of styles; undefined for any other line. */
function stylesIn(line: string): readonly string[] | undefined {
  const columns = /^Format:/i.test(line) ? columnsOf(line) : []
  return columns.includes('alignment') ? columns : undefined
}

/** An asterisk before the name marks the default style, and is not part of the name. */
const key = (name: string): string => name.replace(/^\*/, '').trim().toLowerCase()
