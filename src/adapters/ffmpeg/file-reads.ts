/** Reads single files: health of a root, stamp, fingerprint, head, whole small files. */
import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { onDriveOf, openMedia, realpathMedia, statMedia, type MediaHandle } from '../../drives/media-files.ts'
import type { FileStamp } from '../../vocabulary/media-description.ts'
import type { Fingerprint, RootHealth } from '../../ports/media.ts'
import { isWanted } from './ignored-files.ts'

/** Bytes at the beginning and at the end of a film that its fingerprint covers. */
const EDGE_BYTES = 65_536
/**
 * Parts between them. Programs for downloads write the beginning and the end first, or reserve the whole file: what was made of a film
 * before it was complete must not be served for the complete one. Of a file that lacks a fifth, a part is missing with 97 % probability.
 */
const PARTS = 16
const PART_BYTES = 4_096

export async function rootHealth(root: string): Promise<RootHealth> {
  try {
    const stats = await statMedia(root)
    if (!stats.isDirectory()) return { available: false, reason: 'not-a-folder' }
    const identity = `${stats.dev}:${stats.ino}:${await realpathMedia(root)}`
    return { available: true, device: stats.dev, identity, empty: await onDriveOf(root, () => isEmpty(root)) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOTDIR') return { available: false, reason: 'not-a-folder' }
    return { available: false, reason: code === 'ENOENT' ? 'missing' : 'unreadable' }
  }
}

async function isEmpty(path: string): Promise<boolean> {
  for await (const entry of await opendir(path)) if (isWanted(entry)) return false
  return true
}

/** Size, time and inode of a file; undefined for anything else. */
export async function stampOf(path: string): Promise<FileStamp | undefined> {
  const stats = await statMedia(path)
  return stats.isFile() ? stampFrom(stats) : undefined
}

export function stampFrom({ size, mtimeMs, ino }: Stats): FileStamp {
  return { sizeBytes: size, modifiedAtMs: Math.trunc(mtimeMs), inode: ino === 0 ? null : ino }
}

/** Of the size in decimal and of parts of the content, which overlap in a small file. */
export async function fingerprintOf(path: string): Promise<Fingerprint> {
  return withFile(path, async (file, sizeBytes) => {
    const head = await readAt(file, 0, Math.min(EDGE_BYTES, sizeBytes))
    const tail = await readAt(file, Math.max(0, sizeBytes - EDGE_BYTES), Math.min(EDGE_BYTES, sizeBytes))
    const hash = createHash('sha256').update(String(sizeBytes)).update(head).update(tail)
    const former = hash.copy().digest('hex')
    for (let part = 1; part <= PARTS; part++) {
      const from = Math.floor((sizeBytes * part) / (PARTS + 1))
      hash.update(await readAt(file, from, Math.min(PART_BYTES, sizeBytes - from)))
    }
    return { current: hash.digest('hex'), former }
  })
}

/** The first bytes of a file and its size. */
export async function readHead(path: string, bytes: number): Promise<{ readonly head: Uint8Array; readonly sizeBytes: number }> {
  return withFile(path, async (file, sizeBytes) => ({ head: await readAt(file, 0, Math.min(bytes, sizeBytes)), sizeBytes }))
}

/** The whole file; undefined if it is larger than the limit or cannot be read. */
export async function readSmallFile(path: string, limitBytes: number): Promise<Uint8Array | undefined> {
  try {
    return await withFile(path, async (file, sizeBytes) => {
      if (sizeBytes > limitBytes) return undefined
      // One byte more, to detect a file that grows while it is read.
      const bytes = await readAt(file, 0, limitBytes + 1 > sizeBytes ? sizeBytes + 1 : sizeBytes)
      return bytes.length > limitBytes ? undefined : bytes
    })
  } catch {
    return undefined
  }
}

/** @throws NotAFile for folders, pipes and devices: opening a pipe would block indefinitely */
async function withFile<T>(path: string, use: (file: MediaHandle, sizeBytes: number) => Promise<T>): Promise<T> {
  if (!(await statMedia(path)).isFile()) throw new NotAFile()
  const file = await openMedia(path)
  try {
    return await use(file, (await file.stat()).size)
  } finally {
    file.close()
  }
}

export class NotAFile extends Error {
  readonly code = 'not-a-file'
  constructor() {
    super('It is not a file')
    this.name = 'NotAFile'
  }
}

/** The bytes from an offset on; fewer if the file ends before. */
async function readAt(file: MediaHandle, offset: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}
