/**
 * Restores a backup into a data folder. The log is filled into a new file and verified there, chains and checkpoint, before anything in the
 * folder is touched. The log takes its place last: a folder that has one is complete.
 */
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { fileErrorCode, isDenied, knownFileReason } from '../vocabulary/file-reason.ts'
import { omitUndefined } from '../vocabulary/omit-undefined.ts'
import { PRIVATE } from '../adapters/shared/whole-file.ts'
import { openSqliteEventLogCopy } from '../adapters/sqlite/event-log-copy.ts'
import { createSqliteLogFiller } from '../adapters/sqlite/event-log-fill.ts'
import { createSqliteVault, fillSqliteVault } from '../adapters/sqlite/vault.ts'
import { openForRestore, type BackupPlace } from '../app/backup/backup-place.ts'
import { backedUpEvents, chooseBackup, readPiece, type ChosenBackup } from '../app/backup/read-backup.ts'
import { readCheckpoints, treesIn, type ReadCheckpoints } from '../app/audit/checkpoints.ts'
import { createNoteKeys } from '../app/audit/note-keys.ts'
import { faultOfCopy } from './copy-verification.ts'
import { isRefusal, refuse, type Refusal } from '../domain/refusal.ts'
import { dataFolderAt, ownForRestore, type OwnedFolder } from '../process/data-folder.ts'
import type { RestoreAsk, RestoreBackup, RestoredBackup } from '../process/restore.ts'
import { backupKeys, openForReading } from './backup-stores.ts'
import { noteMissingPlaces } from './missing-places.ts'
import { putInPlace, type Staging } from './put-in-place.ts'
import { isUsableSecret } from './signing-secrets.ts'

export const restoreBackup: RestoreBackup = async (ask) => {
  let isUntouched = true
  try {
    const restored = await restore(ask, () => void (isUntouched = false))
    return isRefusal(restored) ? { problem: restored.message, needsPassphrase: restored.path === 'passphrase' } : restored
  } catch (cause) {
    if (!isUntouched || ask.signal.aborted) throw cause
    return { problem: reasonOf(cause) }
  }
}

/** `begun`: called when the first file of the data folder is about to be touched. */
async function restore(ask: RestoreAsk, begun: () => void): Promise<RestoredBackup | Refusal> {
  if (statSync(ask.config.dataDir, { throwIfNoEntry: false })?.isDirectory() === false)
    return refuse('invalid', `${ask.config.dataDir} is a file: name a folder with --data`)
  const store = await openForReading(ask.path)
  if (!store) return refuse('not-found', `There is no backup ${ask.path}`)
  try {
    const place = await openForRestore(store, { passphrase: ask.passphrase, keys: backupKeys })
    if (isRefusal(place)) return place
    const chosen = await chooseBackup(place, ask.at)
    return isRefusal(chosen) ? chosen : await intoFolder(ask, { place, chosen, begun })
  } finally {
    await store.close(false)
  }
}

/** Names the file, and what to do, without a full stop. */
function reasonOf(cause: unknown): string {
  const reason = knownFileReason(fileErrorCode(cause))
  if (reason === undefined || !(cause instanceof Error)) return cause instanceof Error ? cause.message : String(cause)
  const file = 'path' in cause ? `${String(cause.path)} cannot be used: ${reason}` : reason
  return isDenied(cause) ? `${file}. Run this as the user that Marquee runs as` : file
}

interface Opened {
  readonly place: BackupPlace
  readonly chosen: ChosenBackup
  readonly begun: () => void
}

async function intoFolder(ask: RestoreAsk, { place, chosen, begun }: Opened): Promise<RestoredBackup | Refusal> {
  const removeMade = noteMissingPlaces(ask.config)
  const folder = ownForRestore(ask.config)
  // A refusal has no full stop: who shows it adds one.
  if ('problem' in folder) return refuse('conflict', folder.problem.replace(/\.$/, ''))
  let isStaged = false
  try {
    // An interrupted restoration was allowed to replace it.
    const isTaken = existsSync(folder.eventLog) && !existsSync(folder.restoreMarker)
    if (isTaken && !ask.replace)
      return refuse('conflict', `${folder.path} has an event log already: name another folder, or give --replace to set that one aside`)
    const staging = dataFolderAt(folder.restoring)
    rmSync(staging.path, { recursive: true, force: true })
    mkdirSync(staging.path, { mode: PRIVATE.folder })
    const fault = await stage(ask, { place, chosen, staging }).catch((cause: unknown) => {
      rmSync(staging.path, { recursive: true, force: true })
      throw cause
    })
    if (fault) {
      rmSync(staging.path, { recursive: true, force: true })
      return fault
    }
    isStaged = true
    begun()
    const aside = putInPlace({ folder, staging, id: chosen.manifest.id })
    await buildReadModels(ask, { folder, id: chosen.manifest.id, aside })
    return { id: chosen.manifest.id, events: chosen.manifest.events, ...omitUndefined({ aside }) }
  } finally {
    if (!isStaged) removeMade()
    folder.release()
  }
}

interface InPlace {
  readonly folder: OwnedFolder
  readonly id: string
  readonly aside: string | undefined
}

/** @throws Error what is restored even so, and where the former files are */
async function buildReadModels({ config, openOffline, print }: RestoreAsk, { folder, id, aside }: InPlace): Promise<void> {
  try {
    const rebuilt = await openOffline({ config, folder, print })
    await rebuilt.close()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const former = aside === undefined ? '' : ` The former data is in ${aside}.`
    throw new Error(
      `Backup ${id} is restored and verified, but its read models are not built; the next start builds them.${former} ${reason}`,
      {
        cause,
      },
    )
  }
}

interface Staged {
  readonly place: BackupPlace
  readonly chosen: ChosenBackup
  readonly staging: Staging
}

/** Everything but what can be made again. Gives why it must not be taken. */
async function stage(ask: RestoreAsk, { place, chosen, staging }: Staged): Promise<Refusal | undefined> {
  const { manifest, vault } = chosen
  const { print } = ask
  const filler = createSqliteLogFiller(staging.eventLog)
  try {
    let done = 0
    for await (const events of backedUpEvents(place, manifest)) {
      filler.add(events)
      const before = done
      done += events.length
      if (Math.floor(done / TELL_EVENTS) > Math.floor(before / TELL_EVENTS)) print(`${done} of ${manifest.events} events restored`)
    }
  } finally {
    filler.close()
  }
  fillSqliteVault(staging.vault, vault)
  stageSecret(vault.signingSecret, staging, print)
  for (const blob of manifest.blobs) {
    const path = resolve(staging.lasting, blob.path)
    if (!path.startsWith(staging.lasting + sep)) return refuse('invalid', `${blob.path} is no path of a backup`)
    mkdirSync(dirname(path), { recursive: true, mode: PRIVATE.folder })
    writeFileSync(path, await readPiece(place, blob), { mode: PRIVATE.file, flush: true })
  }
  print('Verifying the event log')
  return faultOf(ask, { place, chosen, staging })
}

/** One that anyone could guess is left out. */
function stageSecret(secret: string | null, staging: Staging, print: RestoreAsk['print']): void {
  if (secret === null) return
  if (isUsableSecret(secret)) writeFileSync(staging.secret, secret, { mode: PRIVATE.file, flush: true })
  else print('The signing secret of this backup is too short and is left out')
}

const TELL_EVENTS = 50_000

/** What is wrong with the log that was filled: its chains, its checkpoint, its file. */
async function faultOf({ keys, signal }: RestoreAsk, { chosen, staging }: Staged): Promise<Refusal | undefined> {
  const { manifest } = chosen
  const notes = await treesOf(manifest.checkpoint, keys, staging)
  if (isRefusal(notes)) return notes
  if (notes.trees.every(({ size }) => size !== manifest.events))
    return refuse('invalid', 'The checkpoint of this backup is of another size than its log')
  const log = openSqliteEventLogCopy(staging.eventLog)
  try {
    const fault = await faultOfCopy(log, { checkpoints: notes.trees, events: manifest.events, gapless: true, signal })
    return fault === undefined ? undefined : refuse('invalid', `The log of this backup does not verify. ${fault}`)
  } finally {
    await log.close()
  }
}

/** With the keys that were given, or else with those of the backup itself: these show damage, not fraud. */
async function treesOf(note: string, keys: readonly string[] | undefined, staging: Staging): Promise<ReadCheckpoints | Refusal> {
  if (keys !== undefined) return readCheckpoints(note, keys)
  const vault = createSqliteVault({ file: staging.vault })
  try {
    return treesIn(note, await createNoteKeys(vault).made())
  } finally {
    await vault.close()
  }
}
