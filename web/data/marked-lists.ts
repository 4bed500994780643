/** Which lists of films change with the marks of the person. Pure. */

const MARK_FILTERS = ['watched', 'inProgress', 'watchlist'] as const

/** Whether a key names a list of films that marks lengthen, shorten or put in another order. */
export function dependsOnMarks([name, query]: readonly unknown[]): boolean {
  if (name !== 'movies' || typeof query !== 'string') return false
  const asked = Object(JSON.parse(query)) as Readonly<Record<string, unknown>>
  return asked['sort'] === 'lastPlayedAt' || MARK_FILTERS.some((filter) => asked[filter] !== undefined)
}
