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
    async verify({ checkpoints, key }, step, signal) {
      if (checkpoints !== undefined && key === undefined) return NO_KEY
      const trees = checkpoints === undefined || key === undefined ? [] : readCheckpoints(checkpoints, key)
      if (isRefusal(trees)) return trees
      const witness = createLogWitness({ checkpoints: trees, leaves: async () => [] })
      return verifyLog(log, { step, signal, witness, gapless: true })
    },
    close: () => log.close(),
  }
}
