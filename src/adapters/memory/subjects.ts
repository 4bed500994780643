/** Subscription table by subject: exact ones in a map, patterns (`*` one word, `>` the rest, at least one word) checked one by one. */
export interface SubjectTable<Entry> {
  /** Returns a function that removes it. */
  add(pattern: string, entry: Entry): () => void
  match(subject: string): readonly Entry[]
  clear(): void
}

interface Pattern<Entry> {
  readonly words: readonly string[]
  readonly entry: Entry
}

export function createSubjectTable<Entry>(): SubjectTable<Entry> {
  const exact = new Map<string, Set<Entry>>()
  const patterns = new Set<Pattern<Entry>>()

  function addExact(subject: string, entry: Entry): () => void {
    const entries = exact.get(subject) ?? new Set()
    exact.set(subject, entries.add(entry))
    return () => {
      entries.delete(entry)
      if (entries.size === 0 && exact.get(subject) === entries) exact.delete(subject)
    }
  }

  return {
    add(pattern, entry) {
      const words = wordsOf(pattern)
      if (!words.some(isWildcard)) return addExact(pattern, entry)
      if (words.slice(0, -1).includes('>')) throw new TypeError(`${pattern}: ">" only at the end`)
      const added = { words, entry }
      patterns.add(added)
      return () => void patterns.delete(added)
    },
    match(subject) {
      const words = wordsOf(subject)
      if (words.some(isWildcard)) throw new TypeError(`${subject}: no wildcard in the subject of a message`)
      const fitting = [...patterns].filter((pattern) => fits(pattern.words, words)).map((pattern) => pattern.entry)
      return [...(exact.get(subject) ?? []), ...fitting]
    },
    clear() {
      exact.clear()
      patterns.clear()
    },
  }
}

function wordsOf(subject: string): readonly string[] {
  const words = subject.split('.')
  if (words.some((word) => word === '' || /\s/.test(word))) throw new TypeError(`"${subject}" is no subject`)
  return words
}

const isWildcard = (word: string): boolean => word === '*' || word === '>'

function fits(pattern: readonly string[], words: readonly string[]): boolean {
  const open = pattern.at(-1) === '>'
  if (open ? words.length < pattern.length : words.length !== pattern.length) return false
  return pattern.every((word, index) => isWildcard(word) || word === words[index])
}
