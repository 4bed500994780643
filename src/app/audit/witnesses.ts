/** Witnesses of this installation: over the checkpoints that somebody kept, and over what the audit view holds. */
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { Checkpoints } from './checkpoints.ts'
import { createLogWitness, type LogWitness } from './log-witness.ts'

export interface WitnessesDependencies {
  readonly checkpoints: Pick<Checkpoints, 'read'>
  readonly documents: Pick<ReadModels, 'audit'>
}

export function createWitnesses({ checkpoints, documents }: WitnessesDependencies) {
  async function leaves(seq: number, count: number): Promise<readonly string[]> {
    const where = [{ field: 'seq', op: 'gte', value: seq }] as const
    const { items } = await documents.audit.find({ where, sort: { field: 'seq', direction: 'asc' }, only: ['leafHash'], limit: count })
    return items.map(({ leafHash }) => leafHash)
  }

  /** `checkpoints`: signed notes; `key`: what verifies them, default this installation's. */
  return async (kept: { readonly checkpoints?: string | undefined; readonly key?: string | undefined }): Promise<LogWitness | Refusal> => {
    const trees = kept.checkpoints === undefined ? [] : await checkpoints.read(kept.checkpoints, kept.key)
    return isRefusal(trees) ? trees : createLogWitness({ checkpoints: trees, leaves })
  }
}
