/**
 * Normalises text for storing, sorting and searching: control characters, case and diacritics.
 */

/**
 * Marks that people omit: Latin, Greek and Cyrillic diacritics, Hebrew and Arabic points. Marks of other scripts change the word: the vowel
 * signs of India and Thailand, the voicing of kana.
 */
const DIACRITICS = /[\p{M}&&[\p{scx=Zinh}\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}\p{scx=Hebr}\p{scx=Arab}]]+/gv

/** Letters without a decomposition that people type without their stroke. */
const PLAIN: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', þ: 'th', ı: 'i' }

/** Case and diacritics folded, white space collapsed. */
export function foldText(text: string): string {
  return (ASCII.test(text) ? text.toLowerCase() : bare(text)).replace(/\s+/g, ' ').trim()
}

/** True for most texts: ASCII needs no decomposition. */
const ASCII = /^\p{ASCII}*$/v

function bare(text: string): string {
  const plain = text.normalize('NFKD').replace(DIACRITICS, '').normalize('NFC').toLowerCase()
  return plain.replace(/[ßøłđæœþı]/g, (letter) => PLAIN[letter] ?? letter)
}

/** With a space for each control character that is not white space: pages show nothing for it, and some programs end a text at it. */
export const withoutControls = (text: string): string => text.replaceAll(/(?!\s)\p{Cc}/gu, ' ')

/** Without those that differ from an earlier one only in case or diacritics. */
export function distinctNames(names: readonly string[]): readonly string[] {
  const found = new Map<string, string>()
  for (const name of names) {
    const key = foldText(name)
    if (!found.has(key)) found.set(key, name)
  }
  return [...found.values()]
}

/** Sort key of a title: folded, without a leading article. */
export function sortKey(title: string): string {
  const folded = foldText(title)
  const bare = folded.replace(/^(the|an|a)\s+/, '')
  return bare === '' ? folded : bare
}

/** Words that a search looks for, folded and deduplicated. Of texts without any letter or digit: the symbols between the spaces. */
export function searchWords(texts: readonly (string | null)[]): readonly string[] {
  const words = distinctWords(texts, (folded) => folded.split(NO_WORD))
  return words.length > 0 ? words : distinctWords(texts, (folded) => folded.split(' '))
}

/**
 * Words of the texts to find by `searchWords`: also each part between spaces without its punctuation (`oceans`, `mash`, `spiderman`). A part
 * of only symbols stays as it is.
 */
export function foundWords(texts: readonly (string | null)[]): readonly string[] {
  return distinctWords(texts, (folded) => [
    ...folded.split(NO_WORD),
    ...folded.split(' ').map((part) => part.replaceAll(NO_WORD, '') || part),
  ])
}

const NO_WORD = /[^\p{L}\p{M}\p{N}]+/gu

function distinctWords(texts: readonly (string | null)[], wordsOf: (folded: string) => readonly string[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => (text ? wordsOf(foldText(text)) : [])).filter((word) => word !== ''))]
}
