/** Runs appends of both kinds: applies the injected faults, then calls the writer. */
import type { Expected } from './commit-check.ts'
import { happens, type Faults } from './faults.ts'
import type { Node } from './nodes.ts'
import type { NewEvent } from './recorded.ts'
import type { Writer, Written } from './writer.ts'

export interface AppendDeps {
  readonly writer: Writer
  readonly faults: Faults
  readonly node: Node
  /** Resets the connection of that peer. */
  readonly cut: (peer: string) => void
  /** Appends in flight, of all nodes. */
  readonly underway: Set<string>
}

export interface Append {
  readonly stream: string
  readonly expected: Expected
  readonly events: readonly NewEvent[]
}

/** `aborted`: the server ran out of time. */
export type Outcome = Written | { readonly type: 'aborted' }

/** @param tell called with the outcome, unless the connection is lost before */
export function carryOut(deps: AppendDeps, peer: string, append: Append, tell: (outcome: Outcome) => void): void {
  const { writer, faults, node, cut, underway } = deps
  if (happens(faults, 'append-lost')) return cut(peer)
  const abort = () => void setTimeout(() => tell({ type: 'aborted' }), faults['commit-timeout'])
  if (node.isIsolated()) {
    node.keepAlone(append.stream, append.events)
    return abort()
  }
  const key = JSON.stringify([append.stream, append.expected, ...append.events.map(({ id }) => id)])
  // The same append is in flight: the real server drops the second one, and reports that only when its timeout expires.
  if (underway.has(key)) return abort()
  underway.add(key)
  const finish = (written: Written): void => {
    underway.delete(key)
    tell(written)
  }
  void writer.append(append.stream, append.expected, append.events).then((written) => {
    if (happens(faults, 'answer-lost')) {
      underway.delete(key)
      return cut(peer)
    }
    return faults.delay > 0 ? void setTimeout(() => finish(written), faults.delay) : finish(written)
  })
}
