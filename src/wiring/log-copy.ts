/** A copied log: verified with nothing but its file, checkpoints and the key that signed them. */
import { openSqliteEventLogCopy } from '../adapters/sqlite/event-log-copy.ts'
import { readCheckpoints } from '../app/audit/checkpoints.ts'
import { createLogWitness } from '../app/audit/log-witness.ts'
import { verifyLog } from '../app/operator/verification.ts'
import { isRefusal, refuse } from '../domain/refusal.ts'
import type { OpenLogCopy } from '../process/open-offline.ts'

const NO_KEY = refuse('invalid', 'Checkpoints of a copied log need the key that verifies them (--key)', { path: 'key' })

export const openLogCopy: OpenLogCopy = async (file) => {
  const log = openSqliteEventLogCopy(file)
  return {
    async verify({ checkpoints, keys }, step, signal) {
      if (checkpoints !== undefined && keys === undefined) return NO_KEY
      const read = checkpoints === undefined || keys === undefined ? { trees: [], skipped: 0 } : readCheckpoints(checkpoints, keys)
      if (isRefusal(read)) return read
      const witness = createLogWitness({ checkpoints: read.trees, skipped: read.skipped, leaves: async () => [] })
      return verifyLog(log, { step, signal, witness, gapless: true })
    },
    close: () => log.close(),
  }
}
