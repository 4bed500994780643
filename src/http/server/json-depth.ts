/** Checks the nesting depth of a JSON text before it is parsed, because later code walks the value recursively. */

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Whether no list or object of a JSON text in UTF-8 is nested deeper than `most`. Linear time; meaningless for a text that is not JSON. */
export function isShallow(bytes: Uint8Array, most: number): boolean {
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfText(bytes, at + 1)
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
    if (depth > most) return false
  }
  return true
}

/** Index of the quotation mark that closes the string, otherwise the end. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}
