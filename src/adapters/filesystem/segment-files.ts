/**
 * Segment files: `<root>/<source>/<rendition>-<cost>/<k>.m4s`, with `init` beside them. Names consist of hashes and numbers only. A file
 * truncated by a crash under its final name is detected by its boxes.
 */
import { close, open, read } from 'node:fs'
import { chmod, readdir, rm, stat, unlink, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { INIT, type RenditionCacheKey } from '../../ports/segment-store.ts'
import { PRIVATE, UNFINISHED, writeWhole } from '../shared/whole-file.ts'
import { nameOf } from './segment-index.ts'

export interface FoundFile {
  readonly segment: number
  readonly sizeBytes: number
  readonly usedAt: number
}

const openFile = promisify(open)
const FOLDER = /^([0-9a-f]{32})-(\d{1,6})$/
const SOURCE = /^[0-9a-f]{32}$/
const SEGMENT = /^(\d{1,7})\.m4s$/

export const folderPath = (root: string, place: RenditionCacheKey): string => join(root, nameOf(place))

export function filePath(root: string, place: RenditionCacheKey, segment: number): string {
  return join(folderPath(root, place), segment === INIT ? 'init' : `${segment}.m4s`)
}

export interface Placed {
  readonly place: RenditionCacheKey
  readonly segment: number
}

export async function writeSegmentFile(root: string, { place, segment }: Placed, bytes: Uint8Array): Promise<void> {
  await writeWhole(filePath(root, place, segment), bytes, PRIVATE)
}

/** Lets the group read it, whatever the process's umask is; some file systems have no such rights. */
export async function shareSegmentFile(root: string, { place, segment }: Placed): Promise<void> {
  const folder = folderPath(root, place)
  for (const path of [root, dirname(folder), folder]) await chmod(path, 0o750).catch(() => undefined)
  await chmod(filePath(root, place, segment), 0o640).catch(() => undefined)
}

/** Fills the buffer, which has the size of the file. @throws if it cannot be read, or is incomplete */
export async function readSegmentFile(root: string, { place, segment }: Placed, into: Buffer): Promise<Uint8Array> {
  const file = await openFile(filePath(root, place, segment), 'r')
  try {
    const bytes = await readWhole(file, into)
    if (segment !== INIT && !isWhole(bytes)) throw new Error('The segment is not whole')
    return bytes
  } finally {
    close(file)
  }
}

function readWhole(file: number, bytes: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  read(file, bytes, 0, bytes.byteLength, 0, (error, count) => {
    if (error) reject(error)
    else if (count < bytes.byteLength) reject(new Error('The segment is shorter than it was'))
    else resolve(bytes)
  })
  return promise
}

/** Whether its consecutive boxes end exactly at its end. */
function isWhole(bytes: Buffer): boolean {
  let at = 0
  while (at + 8 <= bytes.byteLength) {
    const sizeBytes = bytes.readUInt32BE(at)
    if (sizeBytes < 8) return false
    at += sizeBytes
  }
  return at === bytes.byteLength && at > 0
}

export async function removeSegmentFile(root: string, { place, segment }: Placed): Promise<void> {
  await unlink(filePath(root, place, segment)).catch(ignoreMissing)
}

/** Also removes the folder of its source if it was the last one in it. */
export async function removeFolderFiles(root: string, place: RenditionCacheKey): Promise<void> {
  const path = folderPath(root, place)
  await rm(path, { recursive: true, force: true })
  const left = await readdir(dirname(path)).catch(() => [])
  if (left.length === 0) await rm(dirname(path), { recursive: true, force: true })
}

/** Records a use of the folder for the next process. */
export async function markUsed(root: string, place: RenditionCacheKey, now: number): Promise<void> {
  await utimes(folderPath(root, place), now / 1000, now / 1000).catch(() => undefined)
}

export interface FoundFolder {
  readonly place: RenditionCacheKey
  readonly usedAt: number
  /** Least recently used first. */
  readonly files: readonly FoundFile[]
}

/** The readable existing folders. Incomplete files are removed, foreign ones left alone. */
export async function* findFolders(root: string): AsyncGenerator<FoundFolder> {
  for (const source of (await readdir(root)).filter((name) => SOURCE.test(name))) {
    for (const name of await readdir(join(root, source)).catch(() => [])) {
      const [, rendition, cost] = FOLDER.exec(name) ?? []
      if (rendition === undefined) continue
      yield await findFiles(join(root, source, name), { source, rendition, cost: Number(cost) })
    }
  }
}

async function findFiles(path: string, place: RenditionCacheKey): Promise<FoundFolder> {
  const files: FoundFile[] = []
  for (const name of await readdir(path).catch(() => [])) {
    if (name.endsWith(UNFINISHED)) await rm(join(path, name), { force: true })
    const segment = name === 'init' ? INIT : Number(SEGMENT.exec(name)?.[1] ?? Number.NaN)
    if (Number.isNaN(segment)) continue
    const found = await stat(join(path, name)).catch(() => undefined)
    if (found) files.push({ segment, sizeBytes: found.size, usedAt: found.mtimeMs })
  }
  const folder = await stat(path).catch(() => undefined)
  return { place, usedAt: folder?.mtimeMs ?? 0, files: files.sort((a, b) => a.usedAt - b.usedAt) }
}

function ignoreMissing(cause: NodeJS.ErrnoException): void {
  if (cause.code !== 'ENOENT') throw cause
}
