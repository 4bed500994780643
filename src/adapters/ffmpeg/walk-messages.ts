/** Messages between a walk and its thread, as JSON: copies of the objects would take longer. */
import type { Walk, WalkBatch } from './walk-batch.ts'
import type { Ahead } from './walk-folder.ts'

interface PlainWalk {
  readonly ahead: Ahead[]
  readonly visited: readonly string[]
}

/** A batch, with the walk if somebody else continues it. */
export interface BatchMessage extends WalkBatch {
  readonly rest?: PlainWalk
}

const plain = ({ ahead, visited }: Walk): PlainWalk => ({ ahead, visited: [...visited] })

export const writtenWalk = (walk: Walk): string => JSON.stringify(plain(walk))

export function walkIn(message: unknown): Walk {
  const { ahead, visited } = JSON.parse(String(message)) as PlainWalk
  return { ahead, visited: new Set(visited) }
}

export const writtenBatch = (batch: WalkBatch, walk: Walk): string =>
  JSON.stringify(batch.state === 'slow' ? { ...batch, rest: plain(walk) } : batch)

export const batchIn = (message: unknown): BatchMessage => JSON.parse(String(message)) as BatchMessage
