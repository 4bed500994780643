/** Finds files that import each other in a circle, types included. What is loaded on demand, by `import()`, closes none. */

/** @param importsOf the files that a file imports; files that it does not know have none */
export function importCircles(importsOf: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const circles: (readonly string[])[] = []
  const done = new Set<string>()
  const path: string[] = []

  function visit(file: string): void {
    const begins = path.indexOf(file)
    if (begins >= 0) circles.push(path.slice(begins))
    if (begins >= 0 || done.has(file)) return
    path.push(file)
    for (const target of importsOf.get(file) ?? []) visit(target)
    path.pop()
    done.add(file)
  }

  for (const file of importsOf.keys()) visit(file)
  return circles
}
