/** Finds the route of a path, whatever its method: `:name` takes one part of a path, `*` at the end takes the rest. */
import { decoded } from './route-path.ts'

export interface PathTable<Value> {
  add(url: string, value: Value): void
  /** Of the most specific route that the path fits, as it stands in a URL without the query. */
  find(path: string): Value | undefined
}

interface Node<Value> {
  readonly parts: Map<string, Node<Value>>
  /** At the end of a route. */
  value?: Value
}

const ANY = ':'
const REST = '*'

export const partsOf = (url: string): readonly string[] => url.split('/').map((part) => (part.startsWith(ANY) ? ANY : part))

export function createPathTable<Value>(): PathTable<Value> {
  const root: Node<Value> = { parts: new Map() }
  return {
    add(url, value) {
      let node = root
      for (const part of partsOf(url)) {
        const next: Node<Value> = node.parts.get(part) ?? { parts: new Map() }
        node.parts.set(part, next)
        node = next
      }
      node.value = value
    },
    find: (path) => findIn(root, path.split('/').map(decoded), 0),
  }
}

/** Names before parameters, and these before the rest, as the router decides. */
function findIn<Value>(node: Node<Value>, parts: readonly string[], at: number): Value | undefined {
  const part = parts[at]
  if (part === undefined) return node.value
  const named = node.parts.get(part)
  const any = node.parts.get(ANY)
  return (named && findIn(named, parts, at + 1)) ?? (any && findIn(any, parts, at + 1)) ?? node.parts.get(REST)?.value
}

/** Whether one path may fit both routes, whose parts these are. */
export function overlap(parts: readonly string[], others: readonly string[]): boolean {
  for (let at = 0; ; at++) {
    const [one, two] = [parts[at], others[at]]
    if (one === REST || two === REST) return true
    if (one === undefined || two === undefined) return one === two
    if (one !== two && one !== ANY && two !== ANY) return false
  }
}

/** Of two routes that overlap: whether the router prefers the first for a path that fits both. */
export function isPreferred(parts: readonly string[], others: readonly string[]): boolean {
  const at = parts.findIndex((part, index) => part !== others[index])
  return others[at] === REST || (others[at] === ANY && parts[at] !== REST)
}
