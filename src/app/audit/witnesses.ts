/** Witnesses of this installation: over the checkpoints that somebody kept, and over what the audit view holds. */
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { Checkpoints } from './checkpoints.ts'
import { createLogWitness, type LogWitness } from './log-witness.ts'

export interface WitnessesDependencies {
  readonly checkpoints: Pick<Checkpoints, 'read'>
  readonly documents: Pick<ReadModels, 'audit'>
}

export interface KeptNotes {
  /** Signed notes, one after another. */
  readonly checkpoints?: string | undefined
  /** What verifies them; default: this installation's. */
  readonly keys?: readonly string[] | undefined
}

export function createWitnesses({ checkpoints, documents }: WitnessesDependencies) {
  async function leaves(seq: number, count: number): Promise<readonly string[]> {
    const where = [{ field: 'seq', op: 'gte', value: seq }] as const
    const { items } = await documents.audit.find({ where, sort: { field: 'seq', direction: 'asc' }, only: ['leafHash'], limit: count })
    return items.map(({ leafHash }) => leafHash)
  }

  return async ({ checkpoints: notes, keys }: KeptNotes): Promise<LogWitness | Refusal> => {
    const read = notes === undefined ? { trees: [], skipped: 0 } : await checkpoints.read(notes, keys)
    return isRefusal(read) ? read : createLogWitness({ checkpoints: read.trees, skipped: read.skipped, leaves })
  }
}
