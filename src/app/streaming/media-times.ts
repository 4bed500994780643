/** Caches the media index of each film in use. Callers wait for it only briefly, since a film can be played without one. */
import type { MediaTimes } from '../../domain/streaming/media-times.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Media } from '../../ports/media.ts'

export interface MediaTimesOptions {
  readonly media: Media
  readonly clock: Clock
  readonly waitMs?: number
}

export interface MediaTimesLookup {
  readonly path: string
  readonly fingerprint: string
}

export interface MediaTimesCache {
  /** Undefined if the film has no index, or none yet. */
  of(mediaFile: MediaTimesLookup): Promise<MediaTimes | undefined>
  close(): void
}

interface Kept {
  readonly times: Promise<MediaTimes | undefined>
  known: boolean
  usedAt: number
}

/** A packet scan of a film on a slow disk takes longer; the film is then transcoded this time, and copied the next. */
const WAIT_MS = 5_000
/** The result for a film is kept while the film is in use, because its playlists must not change under a player. */
const IN_USE_MS = 10 * 60_000
const KEPT_FILMS = 256

export function createMediaTimes({ media, clock, waitMs = WAIT_MS }: MediaTimesOptions): MediaTimesCache {
  const mediaFiles = createLruCache<Kept>(KEPT_FILMS)
  const closing = new AbortController()

  /** The scan continues after the timeout: its result is kept for the next time. */
  async function read({ path, fingerprint }: MediaTimesLookup): Promise<MediaTimes | undefined> {
    const { promise, resolve } = Promise.withResolvers<MediaTimes | undefined>()
    const disarm = clock.after(waitMs, () => resolve(undefined))
    media.index(path, fingerprint, closing.signal).then(resolve, () => resolve(undefined))
    return promise.finally(disarm)
  }

  function begin(mediaFile: MediaTimesLookup): Kept {
    const kept: Kept = { times: read(mediaFile), known: true, usedAt: 0 }
    void kept.times.then((times) => void (kept.known = times !== undefined))
    return kept
  }

  return {
    of(mediaFile) {
      const now = clock.monotonic()
      const before = mediaFiles.get(mediaFile.fingerprint)
      const isGood = before && (before.known || now - before.usedAt < IN_USE_MS)
      const kept = isGood ? before : begin(mediaFile)
      kept.usedAt = now
      if (!isGood) mediaFiles.put(mediaFile.fingerprint, kept)
      return kept.times
    },
    close: () => closing.abort(new Error('The server is stopping')),
  }
}
