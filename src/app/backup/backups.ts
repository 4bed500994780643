/** Backups of this installation: made one at a time, and when the last one succeeded. */
import { CLOCK_SKEW_MS } from '../tasks/clock-skew.ts'
import { refuse, isRefusal, type Refusal } from '../../domain/refusal.ts'
import type { Tree } from '../../events/merkle-tree.ts'
import type { BackupKeys, BackupStore } from '../../ports/backup-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { Leases } from '../../ports/leases.ts'
import type { Vault } from '../../ports/vault.ts'
import { backupId, backupsAsMade, completeBackups, timeOfBackup, vaultName } from './backup-format.ts'
import { openForBackup, stored, type BackupPlace } from './backup-place.ts'
import { pruneBackups, type Pruned } from './prune-backups.ts'
import { erasedIn, forgetErased, togetherVaults, writeVault } from './vault-file.ts'
import { nothingWritten, writeBlobs, writeLog, writeManifest, type BackupStep, type LastingFile } from './write-backup.ts'

export interface BackupAsk {
  /** Absolute; a name that ends with `.marquee` is a file, any other a folder. */
  readonly path: string
  readonly passphrase?: string | undefined
  /** How many backups the folder keeps; default: all. */
  readonly keep?: number | undefined
}

export interface BackupSummary extends Pruned {
  readonly id: string
  readonly events: number
  /** Signed note of the log as it was backed up. */
  readonly checkpoint: string
  /** Files and bytes that are new, and files that earlier backups had written. */
  readonly files: number
  readonly bytes: number
  readonly reused: number
  /** Damaged files of earlier backups that were written again. */
  readonly replaced: number
  /** Whether it lies in the data folder, and is lost together with it. */
  readonly isInDataFolder: boolean
}

export interface BackupStatus {
  /** When its copying began, in milliseconds since 1970; null: this process knows of none. */
  readonly lastSuccessAt: number | null
  /** Events in it; null if another process made it. */
  readonly lastEvents: number | null
  /** Why the last try failed; null if it did not. */
  readonly lastFailure: string | null
}

export interface Backups {
  /** Refusals: `conflict` (one is running, or the place is another's), `invalid`. */
  run(this: void, ask: BackupAsk, step: (step: BackupStep) => void, signal: AbortSignal): Promise<BackupSummary | Refusal>
  /** Learns from a folder when its last backup was made. */
  look(this: void, path: string): Promise<void>
  status(this: void): BackupStatus
}

export interface BackupsDependencies {
  readonly clock: Clock
  readonly leases: Pick<Leases, 'acquire'>
  readonly log: Pick<EventLog, 'follow'>
  readonly vault: Pick<Vault, 'contents'>
  readonly tree: { size(): Promise<number>; at(size: number): Promise<Tree> }
  readonly checkpoints: { of(size: number): Promise<string>; verifier(): Promise<string> }
  /** Settles when the audit shows all that has happened. */
  readonly caughtUp: (signal: AbortSignal) => Promise<void>
  readonly openStore: (path: string) => Promise<BackupStore>
  /** Changes nothing there: another process may be writing a backup. Undefined if there is nothing. */
  readonly readStore: (path: string) => Promise<BackupStore | undefined>
  readonly keys: () => Promise<BackupKeys>
  /** Files that cannot be made again. */
  readonly lastingFiles: () => AsyncIterable<LastingFile>
  readonly signingSecret: () => string | null
  readonly isInDataFolder: (path: string) => boolean
  /** Where the schedule backs up: then the status is of that place, whatever else is backed up by hand. */
  readonly scheduled?: string | undefined
}

/** Of all nodes together: one that removes old backups would remove the pieces of another that is not complete yet. */
const LEASE = 'backup-writing'
const LEASE_SECONDS = 15
const NOTHING_PRUNED: Pruned = { removed: 0, pruneProblem: null }
const BUSY = refuse('conflict', 'A backup is being made already')

export function createBackups(deps: BackupsDependencies): Backups {
  const { readStore, scheduled } = deps
  let status: BackupStatus = { lastSuccessAt: null, lastEvents: null, lastFailure: null }

  function note(path: string, tried: Partial<BackupStatus>): void {
    if (scheduled === undefined || path === scheduled) status = { ...status, ...tried }
  }

  async function run(ask: BackupAsk, step: (step: BackupStep) => void, signal: AbortSignal): Promise<BackupSummary | Refusal> {
    try {
      const done = await backUpAlone(deps, ask, { step, signal })
      if (done === BUSY) return done
      if (isRefusal(done)) note(ask.path, { lastFailure: done.message })
      else note(ask.path, { lastSuccessAt: timeOfBackup(done.id), lastEvents: done.events, lastFailure: null })
      return done
    } catch (cause) {
      note(ask.path, { lastFailure: cause instanceof Error ? cause.message : String(cause) })
      throw cause
    }
  }

  return {
    run,
    async look(path) {
      const store = await readStore(path)
      if (!store) return
      try {
        const latestMs = deps.clock.now() + CLOCK_SKEW_MS
        // The clock may have been corrected since.
        if ((status.lastSuccessAt ?? -Infinity) > latestMs) status = { ...status, lastSuccessAt: null, lastEvents: null }
        const at = (await completeBackups(store)).map(timeOfBackup).findLast((time) => time <= latestMs)
        if (at !== undefined && at > (status.lastSuccessAt ?? -Infinity))
          status = { lastSuccessAt: at, lastEvents: null, lastFailure: null }
      } finally {
        await store.close(false)
      }
    },
    status: () => status,
  }
}

interface Running {
  readonly step: (step: BackupStep) => void
  readonly signal: AbortSignal
}

async function backUpAlone(deps: BackupsDependencies, ask: BackupAsk, { step, signal }: Running): Promise<BackupSummary | Refusal> {
  const lease = await deps.leases.acquire(LEASE, LEASE_SECONDS)
  if (!lease) return BUSY
  try {
    return await backUp(deps, ask, { step, signal: AbortSignal.any([signal, lease.lost]) })
  } finally {
    await lease.release()
  }
}

async function backUp(deps: BackupsDependencies, ask: BackupAsk, running: Running): Promise<BackupSummary | Refusal> {
  const installation = (await deps.checkpoints.verifier()).split('+', 1)[0] ?? ''
  const store = await deps.openStore(ask.path)
  let complete = false
  try {
    const place = await openForBackup(store, { passphrase: ask.passphrase, keys: deps.keys, installation })
    if (isRefusal(place)) return place
    const made = await fill(deps, place, running)
    if (isRefusal(made)) return made
    complete = true
    const pruned = ask.keep !== undefined && store.keepsEarlier ? await pruneBackups(place, ask.keep) : NOTHING_PRUNED
    return { ...made, ...pruned, isInDataFolder: deps.isInDataFolder(ask.path) }
  } finally {
    await store.close(complete)
  }
}

/**
 * The vault is read before and after the log: a password that is changed meanwhile drops the hash that the log up to here names. The keys
 * come before the manifest, so that no complete backup lacks them.
 */
async function fill(
  deps: BackupsDependencies,
  place: BackupPlace,
  { step, signal }: Running,
): Promise<Omit<BackupSummary, keyof Pruned | 'isInDataFolder'> | Refusal> {
  const { clock, checkpoints, vault } = deps
  const createdAt = new Date(clock.now())
  const id = backupId(createdAt)
  const before = await vault.contents()
  await deps.caughtUp(signal)
  const tree = await deps.tree.at(await deps.tree.size())
  const checkpoint = await checkpoints.of(tree.size)
  const written = nothingWritten()
  const log = await writeLog(place, { log: deps.log, tree, step, signal }, written)
  if (isRefusal(log)) return log
  const blobs = await writeBlobs(place, { files: deps.lastingFiles(), signal }, written)
  const keys = togetherVaults(before, await vault.contents())
  await writeVault(place, stored(place, vaultName(id)), { ...keys, signingSecret: deps.signingSecret() })
  if (place.store.keepsEarlier) await forgetErased(place, erasedIn(keys))
  const number = Math.max(0, ...(await backupsAsMade(place.store)).map((one) => one.number)) + 1
  const content = { events: tree.size, checkpoint, log: [...log], blobs: [...blobs] }
  await writeManifest(place, { id, createdAt: createdAt.toISOString(), number, ...content })
  return { id, events: tree.size, checkpoint, ...written }
}
