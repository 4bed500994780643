/**
 * Verifies many logs that begin alike: what the command `verify` computes of the beginning is computed once for each checkpoint, and each
 * log is read from its file and verified by the same code from the last checkpoint before its first difference to the second one after it.
 * What is found before the first of these two is the first difference, whatever follows; otherwise the log is read to its end.
 */
import { createLogWitness, NOTHING_KNOWN } from '../../../src/app/audit/log-witness.ts'
import { readCheckpoints } from '../../../src/app/audit/checkpoints.ts'
import type { FirstDifference } from '../../../src/app/operator/operator-commands.ts'
import { startVerification, type ReadableLog, type Verifying } from '../../../src/app/operator/verification.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { START, type Position } from '../../../src/events/position.ts'
import { positionsOf } from '../../fixtures/log-positions.ts'
import type { LivedYear } from './lived-year.ts'

export interface Judge {
  /** Of the whole log. */
  readonly whole: FirstDifference | null
  /** Of one that is as the whole one was before a seq. */
  firstOf(log: ReadableLog, seq: number): Promise<FirstDifference | null>
}

interface Standing {
  readonly size: number
  readonly position: Position
  readonly verifying: Verifying
}

const signal = new AbortController().signal

export async function createJudge(log: ReadableLog, { checkpoints, key, sizes }: LivedYear, gapless: boolean): Promise<Judge> {
  const notes = readCheckpoints(checkpoints, [key])
  if (isRefusal(notes)) throw new Error(notes.message)
  const witness = createLogWitness({ checkpoints: notes.trees, skipped: notes.skipped, known: NOTHING_KNOWN })
  const verifying = startVerification({ step: () => {}, signal, witness, gapless })
  const positions = await positionsOf(log)
  const standings: Standing[] = [{ size: 0, position: START, verifying: verifying.copy() }]
  let reached = START
  for (const size of [...sizes, positions.length]) {
    const end = positions[size - 1] ?? START
    await verifying.read(upTo(log, end), reached)
    reached = end
    standings.push({ size, position: end, verifying: verifying.copy() })
  }
  return {
    whole: await resultOf(verifying, log),
    async firstOf(tampered, seq) {
      const at = standings.findLastIndex(({ size }) => size < seq)
      const [standing, next, last] = standings.slice(at)
      if (!standing) throw new RangeError(`There is no event ${seq}`)
      const own = standing.verifying.copy()
      if (!next || !last) return readOn(own, tampered, standing.position)
      const near = upTo(tampered, last.position)
      const first = await readOn(own.copy(), near, standing.position)
      return first && first.seq <= next.size ? first : readOn(own, tampered, standing.position)
    },
  }
}

async function readOn(verifying: Verifying, log: ReadableLog, after: Position): Promise<FirstDifference | null> {
  await verifying.read(log, after)
  return resultOf(verifying, log)
}

/** Without the check of the file itself, which says nothing of the first difference. */
const resultOf = async (verifying: Verifying, { head, follow }: ReadableLog): Promise<FirstDifference | null> =>
  (await verifying.end({ head, follow })).first

const upTo = (log: ReadableLog, end: Position): ReadableLog => ({
  head: async () => end,
  async *follow(after, signal) {
    for await (const batch of log.follow(after, signal)) yield batch.filter(({ position }) => position <= end)
  },
})
