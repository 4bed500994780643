/** Between the two ways to append and the writer: where the faults of an append happen. */
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
  /** Appends that are on their way, of all nodes. */
  readonly underway: Set<string>
}

export interface Append {
  readonly stream: string
  readonly expected: Expected
  readonly events: readonly NewEvent[]
}

/** `aborted`: the server has not got round to it in time. */
export type Outcome = Written | { readonly type: 'aborted' }

/** @param tell is called with the outcome, unless the connection is lost before */
export function carryOut(deps: AppendDeps, peer: string, append: Append, tell: (outcome: Outcome) => void): void {
  const { writer, faults, node, cut, underway } = deps
  if (happens(faults, 'append-lost')) return cut(peer)
  const abort = () => void setTimeout(() => tell({ type: 'aborted' }), faults['commit-timeout'])
  if (node.isIsolated()) {
    node.keepAlone(append.stream, append.events)
    return abort()
  }
  const key = JSON.stringify([append.stream, append.expected, ...append.events.map(({ id }) => id)])
  // The same append is on its way: the real server drops this one, and says so only when its time is over.
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
