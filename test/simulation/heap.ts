/** A binary heap: returns the least item first. */
export interface Heap<Item> {
  push(item: Item): void
  peek(): Item | undefined
  pop(): void
}

export function createHeap<Item>(before: (a: Item, b: Item) => boolean): Heap<Item> {
  const items: Item[] = []

  /** Moves the items above down until the item has its place. */
  function rise(item: Item, from: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = items[parent]
      if (above === undefined || !before(item, above)) break
      items[at] = above
      at = parent
    }
    items[at] = item
  }

  /** Moves the items below up until the item has its place. */
  function sink(item: Item): void {
    let at = 0
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const [first, second] = [items[left], items[right]]
      const isSecond = first !== undefined && second !== undefined && before(second, first)
      const least = isSecond ? second : first
      if (least === undefined || !before(least, item)) break
      items[at] = least
      at = isSecond ? right : left
    }
    items[at] = item
  }

  return {
    push: (item) => rise(item, items.length),
    peek: () => items[0],
    pop() {
      const last = items.pop()
      if (last !== undefined && items.length > 0) sink(last)
    },
  }
}
