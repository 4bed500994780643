/** Caches film files for a few seconds: a player asks for the same one with every segment. */
import type { FileDocument } from '../../../projections/views/files.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ReadModels } from '../read-models/read-models.ts'

/** A deleted or replaced file may still be served for this long. */
const FRESH_MS = 2_000
const MAX_KEPT = 256

export interface RecentFilesDependencies {
  readonly clock: Clock
  readonly readModels: { readonly files: Pick<ReadModels['files'], 'get'> }
}

export function createRecentFiles({ clock, readModels }: RecentFilesDependencies) {
  const kept = createLruCache<{ readonly file: FileDocument; readonly at: number }>(MAX_KEPT)
  return async (fileId: FileDocument['id']): Promise<FileDocument | undefined> => {
    const before = kept.get(fileId)
    if (before && clock.monotonic() - before.at < FRESH_MS) return before.file
    kept.remove(fileId)
    const file = await readModels.files.get(fileId)
    if (file) kept.put(fileId, { file, at: clock.monotonic() })
    return file
  }
}
