/** Creates witnesses of this installation, from kept checkpoints and from the audit view. */
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { Checkpoints } from './checkpoints.ts'
import { knownEvents } from './known-events.ts'
import { createLogWitness, type LogWitness } from './log-witness.ts'

export interface WitnessesDependencies {
  readonly checkpoints: Pick<Checkpoints, 'read'>
  readonly readModels: Pick<ReadModels, 'audit'>
}

export interface KeptNotes {
  /** Signed notes, one after another. */
  readonly checkpoints?: string | undefined
  /** Verifier keys of the notes; default: this installation's. */
  readonly keys?: readonly string[] | undefined
}

export function createWitnesses({ checkpoints, readModels }: WitnessesDependencies) {
  return async ({ checkpoints: notes, keys }: KeptNotes): Promise<LogWitness | Refusal> => {
    const read = notes === undefined ? { trees: [], skipped: 0, torn: 0 } : await checkpoints.read(notes, keys)
    if (isRefusal(read)) return read
    const { trees, skipped, torn } = read
    return createLogWitness({ checkpoints: trees, skipped, torn, known: await knownEvents(readModels) })
  }
}
