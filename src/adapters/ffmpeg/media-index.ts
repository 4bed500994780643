/**
 * Media indexes, kept permanently under the fingerprint of the film's content: `<folder>/<2 first hex>/<fingerprint>.json`. They are large
 * and can be made again at any time, so they are files and not events.
 */
import { open, readFile } from 'node:fs/promises'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { createSingleFlight } from '../../concurrency/single-flight.ts'
import type { MediaIndex } from '../../ports/media.ts'
import { contentPath } from '../shared/content-path.ts'
import { writeWhole } from '../shared/whole-file.ts'
import { INDEX_HEAD, indexFromJson, indexToJson } from './media-index-json.ts'
import type { MadeIndex } from './packet-scan.ts'

export type BuildIndex = (path: string, fingerprint: string, signal: AbortSignal) => Promise<MadeIndex>
export type FindIndex = (path: string, fingerprint: string, signal: AbortSignal) => Promise<MediaIndex>

export interface MediaIndexOptions {
  readonly folder: string
  readonly make: BuildIndex
  /** Whether a kept index must be made again; default: never. */
  readonly isOutdated?: (path: string, kept: MediaIndex) => Promise<boolean>
}

/** Finds a kept index or makes it; concurrent calls for the same one share the work. */
export function createMediaIndex({ folder, make, isOutdated }: MediaIndexOptions): FindIndex {
  const flights = createSingleFlight<MediaIndex>()
  return async (path, fingerprint, signal) => {
    const file = fileOf(folder, fingerprint)
    return flights.join(
      fingerprint,
      (shared) => findOrMake({ path, fingerprint, file, make, ...omitUndefined({ isOutdated }), signal: shared }),
      signal,
    )
  }
}

interface Work extends Omit<MediaIndexOptions, 'folder'> {
  readonly path: string
  readonly fingerprint: string
  readonly file: string
  readonly signal: AbortSignal
}

async function findOrMake({ path, fingerprint, file, make, isOutdated, signal }: Work): Promise<MediaIndex> {
  const kept = await readIndex(file)
  if (kept && !(await isOutdated?.(path, kept))) return kept
  const { whole, ...index } = await make(path, fingerprint, signal)
  if (whole) await keep(file, index)
  return index
}

/** Whether an index of today's version is kept; it may still be damaged. */
export async function hasIndex(folder: string, fingerprint: string): Promise<boolean> {
  const path = fileOf(folder, fingerprint)
  try {
    const file = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(INDEX_HEAD.length), 0, INDEX_HEAD.length, 0)
      return buffer.toString('latin1', 0, bytesRead) === INDEX_HEAD
    } finally {
      await file.close()
    }
  } catch {
    return false
  }
}

/** @throws Error if the text is not a fingerprint */
const fileOf = (folder: string, fingerprint: string): string => contentPath(folder, fingerprint, '.json')

async function readIndex(file: string): Promise<MediaIndex | undefined> {
  return readFile(file, 'utf8').then(indexFromJson, () => undefined)
}

/** A full disk costs the next caller a scan, but this one still gets its index. */
const keep = (file: string, index: MediaIndex): Promise<void> => writeWhole(file, indexToJson(index)).catch(() => undefined)
