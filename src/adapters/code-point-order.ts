/** Order of texts by code points, as SQLite and MongoDB compare their bytes; JavaScript's `<` compares UTF-16 units. */
export function byCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const [x, y] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1
  }
  return a.length - b.length
}

/** Half of a code point beyond U+FFFF. */
const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff
