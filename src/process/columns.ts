/** Formats lists for a terminal. */

/** Rows as lines, each column as wide as its widest text. Control characters are removed, so that no name can control the terminal. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const plain = rows.map((row) => row.map(printable))
  const widths = plain.reduce<readonly number[]>((widest, row) => row.map((text, column) => Math.max(widest[column] ?? 0, text.length)), [])
  return plain.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

export const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '')

/** `1 film`, `2 films`. */
export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`
