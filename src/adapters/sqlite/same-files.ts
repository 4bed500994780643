/**
 * Detects whether open files have been replaced. A file that is deleted or moved while open still accepts bytes, which nobody will ever
 * find at its path again. Writers therefore compare device and inode of the file at the path.
 */
import { statSync, type BigIntStats } from 'node:fs'
import { stat } from 'node:fs/promises'

/** A path and the identity of its file; without one, the file found at first use counts. Can be sent to a thread. */
export interface KnownFile {
  readonly path: string
  file?: string | undefined
}

export const knownFiles = (paths: readonly string[]): readonly KnownFile[] => paths.map((path) => ({ path, file: fileAt(path) }))

/** The first path that holds another file or none; undefined: all are unchanged. Takes a few microseconds a file. */
export const missedFile = (files: readonly KnownFile[]): string | undefined =>
  files.find((known) => !isSame(known, known.file === undefined ? fileAt(known.path) : (fileAt(known.path) ?? 'none')))?.path

/** The same without blocking the event loop if a disk does not answer. */
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
