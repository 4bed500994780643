/** Caches checksums of projections until their collections change. Reading a large collection takes long, so callers set a timeout. */
import { createLruCache } from '../../concurrency/lru-cache.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { NoCollection } from '../../ports/read-store.ts'
import { contentChecksum, type ChecksumDependencies, type ContentChecksum } from './content-checksum.ts'
import type { Report } from '../../ports/report.ts'

export interface ProjectionChecksums {
  /** Null for a collection that is missing, changes while it is read, or is still being read after `waitMs`. */
  of(collections: readonly string[], waitMs: number): Promise<ReadonlyMap<string, string | null>>
}

export interface ProjectionChecksumsDependencies extends ChecksumDependencies {
  /** Collections whose checksum is cached. */
  readonly knownMax?: number
  readonly onError: Report
}

/** Attempts to read a collection that changes meanwhile. */
const ATTEMPTS = 3
/** Several times the views: each rebuild of a view makes a collection with another name. */
const KNOWN_MAX = 200

export function createProjectionChecksums(deps: ProjectionChecksumsDependencies): ProjectionChecksums {
  const { store, clock, onError, knownMax = KNOWN_MAX } = deps
  const known = createLruCache<ContentChecksum>(knownMax)
  const running = new Map<string, Promise<string | null>>()
  /** One collection at a time: requests are more urgent. */
  const inTurn = createSemaphore(1)

  async function read(collection: string): Promise<string | null> {
    const kept = known.get(collection)
    if (kept?.position === (await store.checkpoint(collection))) return kept.checksum
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const found = await contentChecksum(deps, collection)
      if (!found) continue
      known.put(collection, found)
      return found.checksum
    }
    return null
  }

  function begin(collection: string): Promise<string | null> {
    const work = inTurn(() => read(collection))
      .catch((cause: unknown) => {
        if (!(cause instanceof NoCollection)) onError(cause, 'warn')
        return null
      })
      .finally(() => running.delete(collection))
    running.set(collection, work)
    return work
  }

  return {
    async of(collections, waitMs) {
      const ended = new AbortController()
      const late = clock.sleep(waitMs, ended.signal).then(
        () => null,
        () => null,
      )
      const all = collections.map(async (name) => [name, await Promise.race([running.get(name) ?? begin(name), late])] as const)
      const checksums = new Map(await Promise.all(all))
      ended.abort()
      return checksums
    },
  }
}
