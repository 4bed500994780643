/**
 * Kept answers: lists that were sent a moment ago, by their entity tag. The tag changes with whatever the list would show, so what
 * is kept under it is what a query would give. Bounded by characters; the longest unused goes first.
 */
export interface KeptAnswers {
  get(tag: string): string | undefined
  put(tag: string, answer: string): void
}

/** Some 400 pages of 20 movies. */
const CHARACTERS_MAX = 8 * 1024 * 1024
/** One answer takes at most so much of it. */
const SHARE = 1 / 16

export function createKeptAnswers(charactersMax = CHARACTERS_MAX): KeptAnswers {
  const answers = new Map<string, string>()
  let characters = 0

  function drop(tag: string): void {
    characters -= answers.get(tag)?.length ?? 0
    answers.delete(tag)
  }

  return {
    get(tag) {
      const answer = answers.get(tag)
      if (answer === undefined) return undefined
      answers.delete(tag)
      answers.set(tag, answer)
      return answer
    },
    put(tag, answer) {
      drop(tag)
      if (answer.length > charactersMax * SHARE) return
      answers.set(tag, answer)
      characters += answer.length
      for (const oldest of answers.keys()) {
        if (characters <= charactersMax) return
        drop(oldest)
      }
    },
  }
}
