/**
 * Opens logs for verification without changing them: a copy, of which only the file, checkpoints and their keys are available; or the log
 * of
 * a stopped server together with its read models. Nothing is started or written: read models rebuilt from a truncated log would match it,
 * and would hide the truncation.
 */
import { existsSync } from 'node:fs'
import { createSystemClock } from '../adapters/node/clock.ts'
import { openSqliteEventLogCopy } from '../adapters/sqlite/event-log-copy.ts'
import { createSqliteReadStore } from '../adapters/sqlite/read-store.ts'
import { createSqliteVault } from '../adapters/sqlite/vault.ts'
import { readCheckpoints, treesIn, type ReadCheckpoints } from '../app/audit/checkpoints.ts'
import { knownEvents } from '../app/audit/known-events.ts'
import { createLogWitness, NOTHING_KNOWN, type KnownEvents } from '../app/audit/log-witness.ts'
import { createNoteKeys } from '../app/audit/note-keys.ts'
import { createLiveStore } from '../app/consistency/live-store.ts'
import { createViewGenerations } from '../app/consistency/view-generations.ts'
import type { VerificationAsk } from '../app/operator/operator-commands.ts'
import { verifyLog } from '../app/operator/verification.ts'
import { createReadModels } from '../app/read-models/read-models.ts'
import type { Config } from '../config/config.ts'
import { isRefusal, refuse, type Refusal } from '../domain/refusal.ts'
import { NoCollection } from '../ports/read-store.ts'
import type { DataFolder } from '../process/data-folder.ts'
import type { LogCopy, OpenLogCopy, OpenStopped } from '../process/open-offline.ts'

const NO_KEY = refuse('invalid', 'Checkpoints of a copied log need the key that verifies them (--key)', { path: 'key' })
const NO_OWN_KEY = refuse('invalid', 'There is no key of this installation: give the one that verifies these checkpoints (--key)', {
  path: 'key',
})

export const openLogCopy: OpenLogCopy = async (file) => logAt(file, async () => NO_KEY, { known: NOTHING_KNOWN, close: async () => {} })

export const openStopped: OpenStopped = async ({ config, folder }) => {
  // A log on a server is verified there.
  if (config.eventLog !== 'sqlite:') return (await import('./wiring.ts')).openOffline({ config, folder })
  return logAt(folder.eventLog, (notes) => readWithOwnKeys(notes, { config, folder }), await knownIn({ config, folder }))
}

interface Place {
  readonly config: Pick<Config, 'readStore' | 'vault'>
  readonly folder: DataFolder
}

interface Known {
  readonly known: KnownEvents
  close(): Promise<void>
}

/** `withoutKeys`: reads notes for which no key was given. */
function logAt(file: string, withoutKeys: (notes: string) => Promise<ReadCheckpoints | Refusal>, elsewhere: Known): LogCopy {
  const log = openSqliteEventLogCopy(file)
  async function read({ checkpoints, keys }: VerificationAsk): Promise<ReadCheckpoints | Refusal> {
    if (checkpoints === undefined) return { trees: [], skipped: 0, torn: 0 }
    return keys === undefined ? withoutKeys(checkpoints) : readCheckpoints(checkpoints, keys)
  }
  return {
    async verify(ask, step, signal) {
      const notes = await read(ask)
      if (isRefusal(notes)) return notes
      const { trees, skipped, torn } = notes
      const witness = createLogWitness({ checkpoints: trees, skipped, torn, known: elsewhere.known })
      return verifyLog(log, { step, signal, witness, gapless: true })
    },
    async close() {
      await log.close()
      await elsewhere.close()
    },
  }
}

async function readWithOwnKeys(notes: string, { config, folder }: Place): Promise<ReadCheckpoints | Refusal> {
  if (config.vault !== 'sqlite:' || !existsSync(folder.vault)) return NO_OWN_KEY
  const vault = createSqliteVault({ file: folder.vault, untouched: true })
  try {
    const keys = await createNoteKeys(vault).made()
    return keys.length > 0 ? treesIn(notes, keys) : NO_OWN_KEY
  } finally {
    await vault.close()
  }
}

/** Empty if there are no read models of this version: they may be deleted at any time. */
async function knownIn({ config, folder }: Place): Promise<Known> {
  const nothing = { known: NOTHING_KNOWN, close: async () => {} }
  if (config.readStore !== 'sqlite:' || !existsSync(folder.readModels)) return nothing
  try {
    const store = createSqliteReadStore({ file: folder.readModels, untouched: true })
    try {
      const live = createLiveStore(store, createViewGenerations({ store, clock: createSystemClock() }))
      return { known: await knownEvents(createReadModels(live)), close: () => store.close() }
    } catch (cause) {
      await store.close()
      throw cause
    }
  } catch (cause) {
    if (!(cause instanceof NoCollection)) console.error(`The read models could not be compared with the log: ${String(cause)}`)
    return nothing
  }
}
