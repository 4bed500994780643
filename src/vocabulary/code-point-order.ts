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

/** The first text after all those that start with the prefix; undefined if there is none. */
export function afterPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0)
  while (points.at(-1) === LAST_CODE_POINT) points.pop()
  const last = points.pop()
  if (last === undefined) return undefined
  return String.fromCodePoint(...points, last + 1 === FIRST_SURROGATE ? AFTER_SURROGATES : last + 1)
}

const LAST_CODE_POINT = 0x10ffff
/** No text holds the code points in between. */
const FIRST_SURROGATE = 0xd800
const AFTER_SURROGATES = 0xe000
