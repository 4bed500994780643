/** The known name that somebody most likely meant. */

/** Fewest single letters to put in, take out or exchange that make one text of the other (Levenshtein). */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [above, letter] of left.split('').entries()) {
    const next = [above + 1]
    for (const [index, other] of right.split('').entries()) {
      const exchanged = (row[index] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(exchanged, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** The nearest of the names, unless more than a third of its letters differ. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .map((name) => ({ name, steps: distance(typed, name) }))
    .filter(({ name, steps }) => steps <= name.length / 3)
    .sort((left, right) => left.steps - right.steps)
  return nearest?.name
}
