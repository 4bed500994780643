/** Bounded parallel work: at most `width` at once, in order of the items; the first error ends it. */
export async function inParallel<Item>(items: Iterable<Item>, width: number, work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]()
  let failed = false
  async function worker(): Promise<void> {
    for (let next = queue.next(); !next.done && !failed; next = queue.next()) {
      try {
        await work(next.value)
      } catch (cause) {
        failed = true
        throw cause
      }
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
}
