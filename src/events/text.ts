/**
 * Text as people sort and search it: case and diacritics folded.
 */

/** Case and diacritics folded (NFKD without marks, lower case), white space collapsed. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
}

/** Sort key of a title: folded, without a leading article. */
export function sortKey(title: string): string {
  const folded = foldText(title)
  const bare = folded.replace(/^(the|an|a)\s+/, '')
  return bare === '' ? folded : bare
}

/** Words of the texts for searching, folded, each once. */
export function searchWords(texts: readonly (string | null)[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => (text ? foldText(text).split(/[^\p{L}\p{N}]+/u) : [])).filter((word) => word !== ''))]
}
