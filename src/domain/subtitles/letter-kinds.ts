/**
 * Counts the letters beyond ASCII of a text by kind: the character and the class of its two neighbours, which alone determine its score. A
 * text has few kinds however long it is, so scoring it against many languages is cheap.
 */

export interface Neighbour {
  readonly isLetter: boolean
  readonly isAsciiLetter: boolean
  readonly isCapital: boolean
}

export interface LetterKind {
  readonly character: string
  readonly before: Neighbour
  readonly after: Neighbour
  readonly count: number
}

const SMALL: Neighbour = { isLetter: true, isAsciiLetter: false, isCapital: false }
const CAPITAL: Neighbour = { ...SMALL, isCapital: true }
const NEIGHBOURS: readonly Neighbour[] = [
  { isLetter: false, isAsciiLetter: false, isCapital: false },
  SMALL,
  CAPITAL,
  { ...SMALL, isAsciiLetter: true },
  { ...CAPITAL, isAsciiLetter: true },
]
const [NO_LETTER = SMALL] = NEIGHBOURS

/** Counts the first `most` letters beyond ASCII, in order of the first occurrence of each kind. */
export function letterKinds(text: string, most: number): readonly LetterKind[] {
  const kinds = new Map<string, LetterKind & { count: number }>()
  const sorts = new Map<string, number>()
  const sortAt = (index: number): number => {
    const unit = text[index] ?? ' '
    const known = sorts.get(unit) ?? sortOf(unit)
    sorts.set(unit, known)
    return known
  }
  let seen = 0
  for (const { 0: character, index } of text.matchAll(/\P{ASCII}/gu)) {
    if (seen++ === most) break
    const [before, after] = [sortAt(index - 1), sortAt(index + character.length)]
    const key = `${before}${after}${character}`
    const kind = kinds.get(key)
    if (kind) kind.count++
    else kinds.set(key, { character, before: NEIGHBOURS[before] ?? NO_LETTER, after: NEIGHBOURS[after] ?? NO_LETTER, count: 1 })
  }
  return [...kinds.values()]
}

/** Index in NEIGHBOURS of one UTF-16 unit. */
function sortOf(unit: string): number {
  if (!/\p{L}/u.test(unit)) return 0
  return (/[a-z]/i.test(unit) ? 3 : 1) + (unit === unit.toLowerCase() ? 0 : 1)
}
