/**
 * Whether files are still those that were opened. A file that is deleted or moved while it is open goes on taking bytes, which
 * nobody will ever find at its path again: so who writes compares device and inode of what is at the path.
 */
import { statSync, type BigIntStats } from 'node:fs'
import { stat } from 'node:fs/promises'

/** A path and the file that was there; without one it counts from when it is first seen. Survives a message to a thread. */
export interface KnownFile {
  readonly path: string
  file?: string | undefined
}

export const knownFiles = (paths: readonly string[]): readonly KnownFile[] => paths.map((path) => ({ path, file: fileAt(path) }))

/** The first path at which another file is, or none any more; undefined: all are as they were. A few microseconds a file. */
export const missedFile = (files: readonly KnownFile[]): string | undefined =>
  files.find((known) => !isSame(known, known.file === undefined ? fileAt(known.path) : (fileAt(known.path) ?? 'none')))?.path

/** The same without holding up the event loop where a disk does not answer. */
export async function missedFileLater(files: readonly KnownFile[]): Promise<string | undefined> {
  for (const known of files) {
    const found = await stat(known.path, { bigint: true }).then(nameOf, () => undefined)
    if (!isSame(known, known.file === undefined ? found : (found ?? 'none'))) return known.path
  }
  return undefined
}

function isSame(known: KnownFile, found: string | undefined): boolean {
  known.file ??= found
  return known.file === found
}

function fileAt(path: string): string | undefined {
  try {
    return nameOf(statSync(path, { bigint: true }))
  } catch {
    return undefined
  }
}

const nameOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`
