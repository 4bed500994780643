/** The text of WebVTT cues as runs of characters with a style: drawn as text, never as HTML. */

export interface Run {
  /** Its place in the cue. */
  readonly id: number
  readonly text: string
  readonly italic: boolean
  readonly bold: boolean
  readonly underline: boolean
}

const PART = /<(\/?)([a-z]+)?[^>]*>|[^<]+|</g
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: '\u00a0', lrm: '\u200e', rlm: '\u200f', quot: '"' }
const decode = (text: string): string => text.replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)

/** Lines of a cue, each with its runs. Tags other than those for italic, bold and underlined are dropped. */
export function cueLines(text: string): readonly (readonly Run[])[] {
  const depth = { i: 0, b: 0, u: 0 }
  const lines: Run[][] = [[]]
  let id = 0
  const add = (piece: string): void => {
    const style = { italic: depth.i > 0, bold: depth.b > 0, underline: depth.u > 0 }
    for (const [index, line] of decode(piece).split(/\r?\n/).entries()) {
      if (index > 0) lines.push([])
      if (line !== '') lines[lines.length - 1]?.push({ id: id++, text: line, ...style })
    }
  }
  for (const [whole, slash, name] of text.matchAll(PART)) {
    if (!whole.startsWith('<') || whole === '<') add(whole)
    else if (name === 'i' || name === 'b' || name === 'u') depth[name] = Math.max(0, depth[name] + (slash === '/' ? -1 : 1))
  }
  return lines.filter((line) => line.length > 0)
}

/** As it is read out. */
export const cueText = (text: string): string =>
  cueLines(text)
    .map((line) => line.map((run) => run.text).join(''))
    .join(' ')

interface Placed {
  readonly line: number | 'auto'
  readonly snapToLines: boolean
}

const TOP_LINES = 5
const HALF = 50

/** Whether a cue stands at the top of the video. Lines are counted from the top, negative ones from the bottom. */
export function isAtTop({ line, snapToLines }: Placed): boolean {
  if (line === 'auto') return false
  return snapToLines ? line >= 0 && line <= TOP_LINES : line < HALF
}
