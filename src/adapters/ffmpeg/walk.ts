/**
 * Walks the folders of a library with its own readdir and a bounded number of parallel stats: stat calls dominate the time of a walk.
 */
import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import type { ListedFile, ListedFolder, Media } from '../../ports/media.ts'
import { byCodePoints } from '../shared/code-point-order.ts'
import { abortable } from '../../concurrency/timeout.ts'
import { stampFrom } from './file-reads.ts'
import { isWanted } from './ignored-files.ts'

type WalkOptions = Parameters<Media['list']>[1]

const PARALLEL_STATS = 16
const PARALLEL_FOLDERS = 16

const PLAIN_WORDS: Readonly<Record<string, string>> = {
  EACCES: 'Permission denied',
  EPERM: 'Permission denied',
  ELOOP: 'The symbolic links form a loop',
  ENOENT: 'It is gone, or a link to nothing, or its name cannot be read',
  EIO: 'The disk cannot read it',
}

/** A queued folder: its path as reached, and the one with links resolved, which detects cycles. */
interface Ahead {
  readonly path: string
  readonly real: string
  reading?: Promise<ReadFolder | { readonly failed: unknown }>
}

interface ReadFolder {
  readonly files: readonly ListedFile[]
  /** In code point order. */
  readonly folders: readonly Ahead[]
  readonly problems: readonly { readonly path: string; readonly message: string }[]
}

export async function* listFolders(root: string, { signal, onError }: WalkOptions): AsyncIterable<ListedFolder> {
  signal.throwIfAborted()
  const visited = new Set<string>()
  const ahead: Ahead[] = [{ path: root, real: await abortable(realpath(root), signal) }]
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { path, real } = next
    const found = await abortable(begin(next), signal)
    if (visited.has(real)) continue
    visited.add(real)
    if ('failed' in found) {
      if (path === root) throw found.failed
      onError(path, plainWords(found.failed))
      continue
    }
    for (const each of found.problems) onError(each.path, each.message)
    ahead.push(...found.folders.toReversed())
    // Folders are yielded one by one, in order, but read several at once: most of a walk is waiting for the disk.
    for (const soon of ahead.slice(-PARALLEL_FOLDERS)) void begin(soon)
    if (found.files.length > 0) yield { path, files: found.files }
  }
}

function begin(folder: Ahead): Promise<ReadFolder | { readonly failed: unknown }> {
  return (folder.reading ??= readFolder(folder).catch((failed: unknown) => ({ failed })))
}

async function readFolder({ path, real }: Ahead): Promise<ReadFolder> {
  const entries = await readdir(path, { withFileTypes: true })
  const wanted = entries.filter(isWanted).sort((a, b) => byCodePoints(a.name, b.name))
  const files: ListedFile[] = []
  const folders: Ahead[] = []
  const problems: { path: string; message: string }[] = []
  for (let from = 0; from < wanted.length; from += PARALLEL_STATS) {
    const looks = wanted.slice(from, from + PARALLEL_STATS).map((entry) => look({ path, real }, entry))
    for (const found of await Promise.all(looks)) {
      if (found === undefined) continue
      if ('message' in found) problems.push(found)
      else if ('real' in found) folders.push(found)
      else files.push(found)
    }
  }
  return { files, folders, problems }
}

type Look = ListedFile | Ahead | { readonly path: string; readonly message: string }

/** A file with its stamp, a folder, or the reason why it cannot be read; nothing for devices and sockets. */
async function look(parent: Ahead, entry: Dirent): Promise<Look | undefined> {
  const path = below(parent.path, entry.name)
  if (entry.isDirectory()) return { path, real: below(parent.real, entry.name) }
  try {
    const stats = await stat(path)
    if (stats.isDirectory()) return { path, real: await realpath(path) }
    return stats.isFile() ? { name: entry.name, path, ...stampFrom(stats) } : undefined
  } catch (error) {
    return { path, message: plainWords(error) }
  }
}

const below = (folder: string, name: string): string => (folder.endsWith('/') ? folder + name : `${folder}/${name}`)

function plainWords(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return PLAIN_WORDS[code] ?? `It cannot be read (${code})`
}
