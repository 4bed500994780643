/**
 * Finds checkpoints that were cut off while they were appended to a file, by a full disk or a power cut. Such a note lacks its end: the
 * file ends there, or the next note follows at once. A note that ends with a signature is whole, whatever it says.
 */

/** A length of text that is looked back for a note: each has about 200 characters. */
export const NOTE_MAX = 4_096

export interface WholeNotes {
  readonly text: string
  /** Number of notes that were cut off. */
  readonly torn: number
}

/** The text without the notes that were cut off. `names`: origins of the notes. */
export function withoutTornNotes(text: string, names: readonly string[]): WholeNotes {
  if (names.length === 0) return { text, torn: 0 }
  const starts = [0, ...names.flatMap((name) => startsOf(text, name)).toSorted((a, b) => a - b)]
  const parts = starts.map((start, index) => {
    const part = text.slice(start, starts[index + 1])
    return { part, length: Math.max(...names.map((name) => tornLength(part, name))) }
  })
  return {
    text: parts.map(({ part, length }) => part.slice(0, part.length - length)).join(''),
    torn: parts.filter(({ length }) => length > 0).length,
  }
}

/** Where notes begin: with the name and a size, each in a line. */
function startsOf(text: string, name: string): readonly number[] {
  const starts: number[] = []
  for (let at = text.indexOf(`${name}\n`); at >= 0; at = text.indexOf(`${name}\n`, at + 1)) {
    const size = at + name.length + 1
    if (SIZE.test(text.slice(size, size + SIZE_MAX))) starts.push(at)
  }
  return starts
}

/**
 * Number of characters at the end of a text that belong to a note which was cut off; 0 if there is none. The text may be bytes as Latin-1:
 * then the number counts bytes.
 */
export function tornLength(text: string, name: string): number {
  const end = text.slice(-NOTE_MAX)
  const content = end.slice(0, lengthWithoutZeros(end))
  const start = content.lastIndexOf(`${name}\n`)
  const last = content.slice(start + name.length + 1)
  const whole = start < 0 ? undefined : WHOLE.exec(last)?.[0]
  if (start >= 0 && whole === undefined) return UNSIGNED.test(last) ? end.length - start : end.length - content.length
  const rest = whole === undefined ? content.slice(content.lastIndexOf('\n') + 1) : last.slice(whole.length)
  const isTorn = name.startsWith(rest) || (whole !== undefined && PARTIAL_SIGNATURE.test(rest))
  return end.length - content.length + (isTorn ? rest.length : 0)
}

/** After a power cut a file may end with zeros in place of the bytes that were appended. */
function lengthWithoutZeros(text: string): number {
  let length = text.length
  while (text[length - 1] === '\0') length--
  return length
}

/** First character of a signature, in UTF-8 or as three bytes of Latin-1. It may be cut off itself. */
const DASH = '(?:\u2014|\u00e2\u0080\u0094)'
const PARTIAL_DASH = '[\u2014\ufffd\u00e2]'
const PARTIAL_SIGNATURE = new RegExp(`^${PARTIAL_DASH}[^\\n]*$`)
const BASE64 = '[A-Za-z0-9+/=]'

const SIZE = /^(?:0|[1-9]\d{0,14})\n/
const SIZE_MAX = 16

/** A note after its first line. */
const WHOLE = new RegExp(`^\\d+\\n${BASE64}{44}\\n\\n(?:${DASH} \\S+ ${BASE64}+\\n)+\\n?`)

/** The beginning of a note after its first line, before the end of its first signature. */
const UNSIGNED = new RegExp(
  `^(?:\\d*|\\d+\\n${BASE64}{0,44}|\\d+\\n${BASE64}{44}\\n{1,2}|\\d+\\n${BASE64}{44}\\n\\n${PARTIAL_DASH}[^\\n]*)$`,
)
