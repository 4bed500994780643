/** Number of characters of a text as people and JSON Schema count them: code points, where `length` counts UTF-16 units. */
export function characterCount(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
