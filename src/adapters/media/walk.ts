/**
 * Walks the folders of a library: own readdir and a bounded number of parallel stats (measured in the specification,
 * dependencies.md section 12: stat dominates).
 */
import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ListedFile, ListedFolder, Media } from '../../ports/media.ts'
import { byCodePoints } from '../code-point-order.ts'
import { unlessAborted } from './deadline.ts'
import { stampFrom } from './file-reads.ts'

type WalkOptions = Parameters<Media['list']>[1]

const PARALLEL_STATS = 16
/** Litter of NAS systems, file systems and Windows. */
const LEFT_OUT: ReadonlySet<string> = new Set(['@eaDir', 'lost+found', '$RECYCLE.BIN', 'System Volume Information'])

const PLAIN_WORDS: Readonly<Record<string, string>> = {
  EACCES: 'Permission denied',
  EPERM: 'Permission denied',
  ELOOP: 'The links go in a circle',
  ENOENT: 'It is gone, or a link to nothing, or its name cannot be read',
  EIO: 'The disk cannot read it',
}

export async function* listFolders(root: string, options: WalkOptions): AsyncIterable<ListedFolder> {
  const { signal, problem } = options
  const visited = new Set<string>()
  const ahead: string[] = [root]
  for (let path = ahead.pop(); path !== undefined; path = ahead.pop()) {
    const folder = await readFolder(path, { visited, ...options }).catch((error: unknown) => {
      if (signal.aborted || path === root) throw error
      problem(path, plainWords(error))
      return undefined
    })
    if (!folder) continue
    if (folder.files.length > 0) yield { path, files: folder.files }
    ahead.push(...folder.folders.toReversed())
  }
}

interface ReadFolder {
  readonly files: readonly ListedFile[]
  /** In code point order. */
  readonly folders: readonly string[]
}

/** Undefined for a folder that was visited before, over a link. */
async function readFolder(path: string, walk: WalkOptions & { readonly visited: Set<string> }): Promise<ReadFolder | undefined> {
  const { dev, ino } = await unlessAborted(stat(path, { bigint: true }), walk.signal)
  const identity = `${dev}:${ino}`
  if (walk.visited.has(identity)) return undefined
  walk.visited.add(identity)
  const entries = await unlessAborted(readdir(path, { withFileTypes: true }), walk.signal)
  const wanted = entries.filter(isWanted).sort((a, b) => byCodePoints(a.name, b.name))
  const files: ListedFile[] = []
  const folders: string[] = []
  for (let from = 0; from < wanted.length; from += PARALLEL_STATS) {
    const looks = wanted.slice(from, from + PARALLEL_STATS).map((entry) => look(path, entry, walk))
    for (const found of await unlessAborted(Promise.all(looks), walk.signal)) {
      if (found && 'folder' in found) folders.push(found.folder)
      else if (found) files.push(found)
    }
  }
  return { files, folders }
}

function isWanted(entry: Dirent): boolean {
  const known = entry.isFile() || entry.isDirectory() || entry.isSymbolicLink()
  return known && !entry.name.startsWith('.') && !LEFT_OUT.has(entry.name)
}

/** A file with its stamp, or a folder; nothing for devices, sockets and what cannot be looked at. */
async function look(
  parent: string,
  entry: Dirent,
  { problem }: WalkOptions,
): Promise<ListedFile | { readonly folder: string } | undefined> {
  const path = join(parent, entry.name)
  if (entry.isDirectory()) return { folder: path }
  try {
    const stats = await stat(path)
    if (stats.isDirectory()) return { folder: path }
    return stats.isFile() ? { name: entry.name, path, ...stampFrom(stats) } : undefined
  } catch (error) {
    problem(path, plainWords(error))
    return undefined
  }
}

function plainWords(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return PLAIN_WORDS[code] ?? `It cannot be read (${code})`
}
