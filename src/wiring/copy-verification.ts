/** Verifies a log that was copied from another place, or restored from a backup, before anything uses it. */
import type { Tree } from '../events/merkle-tree.ts'
import { createLogWitness, NOTHING_KNOWN } from '../app/audit/log-witness.ts'
import { verifyLog, type ReadableLog } from '../app/operator/verification.ts'

export interface CopiedLogFacts {
  /** Trees of the log that it is a copy of, at one size or several. */
  readonly checkpoints: readonly Tree[]
  /** Number of events of that log. */
  readonly events: number
  /** Whether positions of the copy have no gaps. */
  readonly gapless: boolean
  readonly signal: AbortSignal
}

/** The first thing that is wrong with it (its size, its chains, its trees, its file), in a sentence; undefined if nothing is. */
export async function faultOfCopy(log: ReadableLog, { checkpoints, events, gapless, signal }: CopiedLogFacts): Promise<string | undefined> {
  const witness = createLogWitness({ checkpoints, known: NOTHING_KNOWN })
  const found = await verifyLog(log, { step: () => {}, signal, witness, gapless })
  if (found.events !== events) return `It has ${found.events} events instead of ${events}`
  // What this version does not know may be of a newer one, and is as it was written.
  const broken = found.problems.find(({ reason }) => !reason.startsWith('It cannot be read'))
  return found.faults[0] ?? (broken && `${broken.stream}, event ${broken.revision}: ${broken.reason}`)
}
