/** Manages the data folder: it holds everything Marquee stores, is readable only by its owner, and is owned by one process at a time. */
import { accessSync, constants, existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolderSync } from '../adapters/shared/make-folder.ts'
import { isDamage } from '../adapters/sqlite/connection.ts'
import { lockFolder } from '../adapters/sqlite/folder-lock.ts'
import { COMMAND_NAME } from '../config/command-names.ts'
import type { Config } from '../config/config.ts'
import { StartRefused } from './start-failure.ts'

/** Absolute paths of the files in a data folder. */
export interface DataFolder {
  readonly path: string
  readonly eventLog: string
  /** May be deleted at any time: it is rebuilt from the log. */
  readonly readModels: string
  /** Password hashes and personal keys: never back them up together with the other files. */
  readonly vault: string
  /** Responses to requests with an idempotency key, from the last day. */
  readonly idempotencyStore: string
  readonly blobs: string
  /** Uploads, which nobody can make again, within the blobs. They are backed up. */
  readonly lasting: string
  /** Cached segments; may be deleted while no server runs. */
  readonly cache: string
  /** Node's compile cache; may be deleted at any time. */
  readonly compiledCode: string
  /** Names the versions of the stored events and read models (src/wiring/data-formats.ts). */
  readonly formats: string
  /** Holds the signing secret if no setting provides it. */
  readonly secret: string
  readonly lock: string
  /** Folder in which a backup is restored before its files take their places. */
  readonly restoring: string
  /** Exists while restored files take their places; its content is the name of the folder for the former files. */
  readonly restoreMarker: string
}

export interface OwnedFolder extends DataFolder {
  release(): void
}

export interface FolderProblem {
  readonly problem: string
}

type FolderSettings = Pick<Config, 'dataDir' | 'blobs'> & Partial<Pick<Config, 'eventLog' | 'readStore' | 'vault'>>

/** A process that is just ending may hold the folder a moment longer. */
const LOCK_WAIT_MS = 1000

/** Creates the folder if it is missing, and locks it for this process; otherwise returns the reason in one line. */
export const ownDataFolder = (settings: FolderSettings): OwnedFolder | FolderProblem => unlessRestoring(ownForRestore(settings), settings)

/** The same, also if a restoration was interrupted there. */
export function ownForRestore(settings: FolderSettings): OwnedFolder | FolderProblem {
  try {
    const folder = makeDataFolder(settings)
    const unwritable = filesReadOnly(folder, settings)
    if (unwritable.length > 0) return { problem: unwritable.join('\n') }
    return locked(folder)
  } catch (cause) {
    return { problem: unusable(settings.dataDir, cause) }
  }
}

/** Locks a folder for reading only: creates nothing in it, so it may be on a read-only disk. */
export function holdDataFolder(settings: FolderSettings): OwnedFolder | FolderProblem {
  const folder = dataFolderAt(realpathSync(settings.dataDir), settings.blobs)
  // If the lock file cannot be written, no server can be running there.
  const isFree = !existsSync(folder.lock) || refusalOf(folder.lock, constants.W_OK) !== undefined
  return unlessRestoring(isFree ? { ...folder, release: () => {} } : locked(folder), settings)
}

/** Releases the folder and gives the problem if a restoration was interrupted there. */
function unlessRestoring(folder: OwnedFolder | FolderProblem, settings: FolderSettings): OwnedFolder | FolderProblem {
  const problem = 'problem' in folder ? undefined : interruptedRestore(folder, settings)
  if (problem === undefined || 'problem' in folder) return folder
  folder.release()
  return { problem }
}

/** Why a folder may hold files of two installations, or parts of one, in a line; undefined if no restoration was interrupted. */
export function interruptedRestore(folder: DataFolder, { eventLog }: Pick<FolderSettings, 'eventLog'> = {}): string | undefined {
  const { path, restoring, restoreMarker } = folder
  const again = `A restore into ${path} was interrupted. Run it again: ${COMMAND_NAME} restore <backup> --data ${path}`
  if (existsSync(restoreMarker)) return `${again}. The former files are there and in ${join(path, readFileSync(restoreMarker, 'utf8'))}.`
  if (!isHere(eventLog) || existsSync(folder.eventLog) || !existsSync(restoring)) return undefined
  return `${again}, or delete ${restoring} to start a new installation.`
}

const isHere = (engine: string | undefined): boolean => engine === undefined || engine === 'sqlite:'

function locked(folder: DataFolder): OwnedFolder | FolderProblem {
  try {
    const lock = lockFolder(folder.lock, { waitMs: LOCK_WAIT_MS })
    return lock ? { ...folder, release: () => lock.release() } : { problem: inUse(folder.path) }
  } catch (cause) {
    if (!isDamage(cause)) throw cause
    return { problem: lockDamaged(folder) }
  }
}

/** One line for each file and folder that this process must write but cannot, and for a secret that it cannot read. */
function filesReadOnly(folder: DataFolder, { eventLog, readStore, vault }: FolderSettings): readonly string[] {
  const databases = [
    ...(isHere(eventLog) ? [{ path: folder.eventLog, holds: 'the event log' }] : []),
    ...(isHere(readStore) ? [{ path: folder.readModels, holds: 'the read models' }] : []),
    ...(isHere(vault) ? [{ path: folder.vault, holds: 'password hashes and keys' }] : []),
    ...(isHere(vault) ? [{ path: folder.idempotencyStore, holds: 'answers to repeated requests' }] : []),
    { path: folder.lock, holds: 'the lock of the folder' },
  ]
  const wanted = [
    ...[folder.path, folder.blobs, folder.cache, folder.compiledCode].map((path) => ({ path, holds: 'files of the server' })),
    ...databases.flatMap(({ path, holds }) => JOURNALS.map((end) => ({ path: `${path}${end}`, holds }))),
  ].map((file) => ({ ...file, mode: constants.R_OK | constants.W_OK, verb: 'written' }))
  return [...wanted, { path: folder.secret, holds: 'the signing secret', mode: constants.R_OK, verb: 'read' }].flatMap((file) => {
    const code = refusalOf(file.path, file.mode)
    if (code === undefined) return []
    return [`${file.path} cannot be ${file.verb} (${code}): it holds ${file.holds}. Make it accessible for the user that Marquee runs as.`]
  })
}

/** Endings of the files of one SQLite database. */
export const JOURNALS = ['', '-wal', '-shm', '-journal']

/** Undefined if the path allows this access, or does not exist yet. */
function refusalOf(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode)
    return undefined
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    return code === 'ENOENT' ? undefined : code
  }
}

function makeDataFolder({ dataDir, blobs }: FolderSettings): DataFolder {
  makeFolderSync(dataDir)
  const folder = dataFolderAt(realpathSync(dataDir), blobs)
  makeFolderSync(folder.cache)
  try {
    makeFolderSync(folder.blobs)
  } catch (cause) {
    if (blobs === undefined) throw cause
    throw new StartRefused(`MARQUEE_BLOBS=${blobs} cannot be used (${reasonOf(cause)}). Make it writable, or give another folder.`, {
      cause,
    })
  }
  return folder
}

/** Where the files of a data folder are; none has to exist. `blobsFolder`: if they are elsewhere. */
export function dataFolderAt(path: string, blobsFolder?: string): DataFolder {
  const blobs = blobsFolder ?? join(path, 'blobs')
  return {
    path,
    eventLog: join(path, 'events.sqlite'),
    readModels: join(path, 'read-models.sqlite'),
    vault: join(path, 'vault.sqlite'),
    idempotencyStore: join(path, 'outcomes.sqlite'),
    blobs,
    lasting: join(blobs, 'uploads'),
    cache: join(path, 'cache'),
    compiledCode: join(path, 'compiled-code'),
    formats: join(path, 'formats.json'),
    secret: join(path, 'secret'),
    lock: join(path, 'lock'),
    restoring: join(path, 'restoring'),
    restoreMarker: join(path, 'unfinished-restore'),
  }
}

const inUse = (path: string) =>
  `The data folder ${path} is in use by another Marquee process. Stop that one first, or give this one a folder of its own with MARQUEE_DATA_DIR.`

/** Never replaced by itself: a process that holds the old file would not notice the new one, and both would have the folder. */
const lockDamaged = ({ path, lock }: DataFolder) =>
  `${lock} is damaged: it only locks the folder and should be empty. Make sure that no Marquee process uses ${path}, and delete this file.`

const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause)).split('\n')[0]

function unusable(path: string, cause: unknown): string {
  if (cause instanceof StartRefused) return cause.message
  return `The data folder ${path} cannot be used (${reasonOf(cause)}). Make it writable, or give another one with MARQUEE_DATA_DIR.`
}
