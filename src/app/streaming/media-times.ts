/** Caches the media index of each film in use. Callers wait for it only briefly, since a film can be played without one. */
import type { MediaTimes } from '../../domain/streaming/media-times.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Media } from '../../ports/media.ts'
import type { MediaPart } from '../../vocabulary/media-part.ts'

export interface MediaTimesOptions {
  readonly media: Pick<Media, 'index' | 'parts'>
  readonly clock: Clock
  readonly waitMs?: number
}

export interface MediaTimesLookup {
  readonly path: string
  readonly fingerprint: string
  /** Start of the session that plays the film, in milliseconds since the epoch; missing if it is only about to start. */
  readonly sessionStartMs?: number
}

/** What is known about a film; the same object until that changes. */
export interface KnownTimes {
  /** Missing if the film has no index, or none yet. */
  readonly times?: MediaTimes
  /** Parts of a film without an index. */
  readonly parts?: readonly MediaPart[] | undefined
}

export interface MediaTimesCache {
  of(mediaFile: MediaTimesLookup): Promise<KnownTimes>
  close(): void
}

interface Kept {
  /** Settles after the wait at the latest, and the search for parts that may follow. */
  readonly first: Promise<KnownTimes>
  readonly reading: Reading
  usedAt: number
}

interface Reading {
  isLate: boolean
  hasFailed: boolean
  /** The index, if it was ready only after the wait. */
  later: { readonly known: KnownTimes; readonly atMs: number } | undefined
}

/** A packet scan of a film on a slow disk takes longer; the film is then transcoded this time, and copied the next. */
const WAIT_MS = 5_000
/** An index that cannot be made is tried again when the film was not in use for so long. */
const IN_USE_MS = 10 * 60_000
const KEPT_FILMS = 256

export function createMediaTimes({ media, clock, waitMs = WAIT_MS }: MediaTimesOptions): MediaTimesCache {
  const mediaFiles = createLruCache<Kept>(KEPT_FILMS)
  const closing = new AbortController()

  /** Continues after the wait: its result is for sessions that start later. */
  async function read({ path, fingerprint }: MediaTimesLookup, reading: Reading): Promise<MediaTimes | undefined> {
    try {
      const times = await media.index(path, fingerprint, closing.signal)
      if (reading.isLate) reading.later = { known: { times }, atMs: clock.now() }
      return times
    } catch {
      reading.hasFailed = true
      return undefined
    }
  }

  function begin(mediaFile: MediaTimesLookup): Kept {
    const reading: Reading = { isLate: false, hasFailed: false, later: undefined }
    const tooLate = Promise.withResolvers<undefined>()
    const disarm = clock.after(waitMs, () => {
      reading.isLate = true
      tooLate.resolve(undefined)
    })
    const inTime = Promise.race([read(mediaFile, reading), tooLate.promise]).finally(disarm)
    const first = inTime.then(async (times) => (times ? { times } : { parts: await partsOf(mediaFile.path) }))
    return { first, reading, usedAt: 0 }
  }

  const partsOf = (path: string): Promise<readonly MediaPart[] | undefined> => media.parts(path).catch(() => undefined)

  return {
    async of(mediaFile) {
      const { fingerprint, sessionStartMs = Infinity } = mediaFile
      const now = clock.monotonic()
      const before = mediaFiles.get(fingerprint)
      const isGood = before && (!before.reading.hasFailed || now - before.usedAt < IN_USE_MS)
      const kept = isGood ? before : begin(mediaFile)
      kept.usedAt = now
      if (!isGood) mediaFiles.put(fingerprint, kept)
      const first = await kept.first
      const { later } = kept.reading
      // Playlists must not change under a player.
      return later && later.atMs <= sessionStartMs ? later.known : first
    },
    close: () => closing.abort(new Error('The server is stopping')),
  }
}
