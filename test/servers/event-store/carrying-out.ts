/** Between the two ways to append and the writer: where the faults of an append happen. */
import type { Expected } from './commit-check.ts'
import { happens, type Faults } from './faults.ts'
import type { NewEvent } from './recorded.ts'
import type { Writer, Written } from './writer.ts'

export interface AppendDeps {
  readonly writer: Writer
  readonly faults: Faults
  /** Resets the connection of that peer. */
  readonly cut: (peer: string) => void
}

export interface Append {
  readonly stream: string
  readonly expected: Expected
  readonly events: readonly NewEvent[]
}

/** @param tell is called with the outcome, unless the connection is lost before */
export function carryOut({ writer, faults, cut }: AppendDeps, peer: string, append: Append, tell: (written: Written) => void): void {
  if (happens(faults, 'append-lost')) return cut(peer)
  void writer.append(append.stream, append.expected, append.events).then((written) => {
    if (happens(faults, 'answer-lost')) return cut(peer)
    return faults.delay > 0 ? void setTimeout(() => tell(written), faults.delay) : tell(written)
  })
}
