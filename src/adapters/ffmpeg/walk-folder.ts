/** Reads one folder of a walk: with calls that block the thread, or with as many waiting ones as are allowed at once. */
import { readdirSync, realpathSync, statSync, type Dirent, type Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { driveAt, onDrive, realpathMedia, statMedia } from '../../drives/media-files.ts'
import { NoAnswer } from '../../drives/places.ts'
import type { ListedFile } from '../../ports/media.ts'
import { byCodePoints } from '../../vocabulary/code-point-order.ts'
import { fileErrorCode, knownFileReason } from '../../vocabulary/file-reason.ts'
import { stampFrom } from './file-reads.ts'
import { isWanted } from './ignored-files.ts'

/** A queued folder: its path as reached, and the one with links resolved, which detects cycles. */
export interface Ahead {
  readonly path: string
  readonly real: string
}

export interface Problem {
  readonly path: string
  readonly message: string
}

export interface ReadFolder {
  readonly files: readonly ListedFile[]
  /** In code point order. */
  readonly folders: readonly Ahead[]
  readonly problems: readonly Problem[]
  /** Device number of its files; missing if all of them are links. */
  readonly device?: number | undefined
}

interface LookedFile {
  readonly file: ListedFile
  /** Of its file system; undefined for a link, which may lead to another one. */
  readonly device: number | undefined
}

/** A file with its stamp, a folder, or the reason why it cannot be read; nothing for devices and sockets. */
type Look = LookedFile | Ahead | Problem | undefined

const PARALLEL_STATS = 16

/** The folder listed it a moment ago. */
const GONE = 'It is gone, or a link to nothing, or its name cannot be read'

export async function readFolder(folder: Ahead): Promise<ReadFolder> {
  const drive = driveAt(folder.real)
  const wanted = wantedOf(await onDrive(drive, () => readdir(folder.path, { withFileTypes: true })))
  const read = nothingRead()
  for (let from = 0; from < wanted.length; from += PARALLEL_STATS) {
    const looks = wanted.slice(from, from + PARALLEL_STATS).map((entry) => look(folder, entry, drive))
    for (const found of await Promise.all(looks)) add(read, found)
  }
  return read
}

async function look(parent: Ahead, entry: Dirent, drive: string): Promise<Look> {
  const path = below(parent.path, entry.name)
  if (entry.isDirectory()) return { path, real: below(parent.real, entry.name) }
  try {
    const stats = await (entry.isFile() ? onDrive(drive, () => stat(path)) : statMedia(path))
    return stats.isDirectory() ? { path, real: await realpathMedia(path) } : fileFrom(entry, path, stats)
  } catch (error) {
    // A link may lead to another drive.
    if (error instanceof NoAnswer && error.drive === drive) throw error
    return { path, message: plainWords(error) }
  }
}

/** Takes a quarter of the processor time, but blocks the thread for as long as the disk takes. */
export function readFolderAtOnce(folder: Ahead): ReadFolder {
  const read = nothingRead()
  for (const entry of wantedOf(readdirSync(folder.path, { withFileTypes: true }))) add(read, lookAtOnce(folder, entry))
  return read
}

function lookAtOnce(parent: Ahead, entry: Dirent): Look {
  const path = below(parent.path, entry.name)
  if (entry.isDirectory()) return { path, real: below(parent.real, entry.name) }
  try {
    const stats = statSync(path)
    return stats.isDirectory() ? { path, real: realpathSync(path) } : fileFrom(entry, path, stats)
  } catch (error) {
    return { path, message: plainWords(error) }
  }
}

const wantedOf = (entries: readonly Dirent[]): readonly Dirent[] => {
  const wanted = entries.filter(isWanted)
  return wanted.length > 1 ? wanted.sort((a, b) => byCodePoints(a.name, b.name)) : wanted
}

function fileFrom(entry: Dirent, path: string, stats: Stats): Look {
  if (!stats.isFile()) return undefined
  const { sizeBytes, modifiedAtMs, inode } = stampFrom(stats)
  const device = entry.isSymbolicLink() ? undefined : stats.dev
  return { file: { name: entry.name, path, sizeBytes, modifiedAtMs, inode }, device }
}

const nothingRead = () => ({
  files: [] as ListedFile[],
  folders: [] as Ahead[],
  problems: [] as Problem[],
  device: undefined as number | undefined,
})

function add(read: ReturnType<typeof nothingRead>, found: Look): void {
  if (found === undefined) return
  if ('message' in found) read.problems.push(found)
  else if ('real' in found) read.folders.push(found)
  else {
    read.files.push(found.file)
    read.device ??= found.device
  }
}

const below = (folder: string, name: string): string => (folder.endsWith('/') ? folder + name : `${folder}/${name}`)

/** Without any path, since scans show it. */
export function plainWords(error: unknown): string {
  const code = fileErrorCode(error)
  if (code === 'ENOENT') return GONE
  const reason = knownFileReason(code) ?? `it cannot be read (${code})`
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`
}
