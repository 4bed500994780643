/** Checks subjects before they reach NATS. An invalid one is a programming error, and must not get into the protocol's lines. */

/** @throws TypeError */
export function checkSubject(subject: string): string {
  const words = wordsOf(subject)
  if (words.some((word) => word === '*' || word === '>')) throw new TypeError(`${subject}: no wildcard in the subject of a message`)
  return subject
}

/** @throws TypeError */
export function checkPattern(pattern: string): string {
  if (wordsOf(pattern).slice(0, -1).includes('>')) throw new TypeError(`${pattern}: ">" only at the end`)
  return pattern
}

function wordsOf(subject: string): readonly string[] {
  const words = subject.split('.')
  if (words.some((word) => word === '' || /\s/.test(word))) throw new TypeError(`"${subject}" is no subject`)
  return words
}
