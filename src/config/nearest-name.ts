/** Suggests the known name that a mistyped name most likely means. */

/** Levenshtein distance: the fewest letters to insert, delete or replace to turn one text into the other. */
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
