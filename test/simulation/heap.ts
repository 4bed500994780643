/** Heap: gives the first of what is in it. */
export interface Heap<Item> {
  push(item: Item): void
  peek(): Item | undefined
  pop(): void
}

export function createHeap<Item>(before: (a: Item, b: Item) => boolean): Heap<Item> {
  const items: Item[] = []
  const isBefore = (a: number, b: number): boolean => {
    const [first, second] = [items[a], items[b]]
    return first !== undefined && second !== undefined && before(first, second)
  }

  function swap(a: number, b: number): void {
    const [first, second] = [items[a], items[b]]
    if (first === undefined || second === undefined) return
    items[a] = second
    items[b] = first
  }

  function sink(from: number): void {
    for (let at = from; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let least = isBefore(left, at) ? left : at
      if (isBefore(right, least)) least = right
      if (least === at) return
      swap(at, least)
      at = least
    }
  }

  return {
    push(item) {
      items.push(item)
      for (let at = items.length - 1; at > 0;) {
        const parent = (at - 1) >> 1
        if (!isBefore(at, parent)) return
        swap(at, parent)
        at = parent
      }
    },
    peek: () => items[0],
    pop() {
      const last = items.pop()
      if (last === undefined || items.length === 0) return
      items[0] = last
      sink(0)
    },
  }
}
