/**
 * Blocks of films that are fetched from the API: kept as long as there is room, the same for all jobs that read the same version of a
 * film, each fetched once however many wait for it. A server that is away for a moment, while it is restarted, is waited for.
 */
import { createRecent } from '../src/flow/recent.ts'
import { createSharedFlights } from '../src/flow/shared-flights.ts'
import type { Clock } from '../src/ports/clock.ts'
import { FilmLost, type FilmVersion, type RemoteFilm, type Upstream } from './film-upstream.ts'

export interface FilmBlocks {
  readonly blockBytes: number
  /** @throws FilmLost when it cannot be had; the signal's reason */
  version(film: RemoteFilm, signal: AbortSignal): Promise<FilmVersion>
  /** One block, the last one of a film shorter than the others. @throws FilmLost when it cannot be had; the signal's reason */
  read(film: RemoteFilm & FilmVersion, block: number, signal: AbortSignal): Promise<Uint8Array>
  close(): void
}

export interface FilmBlocksOptions {
  readonly upstream: Upstream
  readonly clock: Clock
  /** Most that the blocks take up. */
  readonly cacheBytes: number
  readonly blockBytes: number
}

/** From the last byte that came: a node restarts behind its proxy in less. */
const PATIENCE_MS = 15_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 3_000

export function createFilmBlocks({ upstream, clock, cacheBytes, blockBytes }: FilmBlocksOptions): FilmBlocks {
  const kept = createRecent<Uint8Array>(cacheBytes)
  const flights = createSharedFlights<Uint8Array>()

  async function fetch(film: RemoteFilm & FilmVersion, block: number, signal: AbortSignal): Promise<Uint8Array> {
    const first = block * blockBytes
    const bytes = Buffer.allocUnsafeSlow(Math.min(film.sizeBytes - first, blockBytes))
    let filled = 0
    await untilItWorks(clock, signal, async (progress) => {
      const range = { first: first + filled, last: first + bytes.byteLength - 1 }
      for await (const piece of upstream.read(film, range, signal)) {
        bytes.set(piece, filled)
        filled += piece.byteLength
        progress()
      }
      if (filled < bytes.byteLength) throw new Error('The server broke off')
    })
    return bytes
  }

  return {
    blockBytes,
    version: (film, signal) => untilItWorks(clock, signal, () => upstream.version(film, signal)),

    async read(film, block, signal) {
      const key = `${film.fileId} ${film.etag} ${block}`
      const before = kept.get(key)
      if (before) return before
      const work = async (flight: AbortSignal): Promise<Uint8Array> => {
        const bytes = await fetch(film, block, flight)
        kept.put(key, bytes, bytes.byteLength)
        return bytes
      }
      try {
        return await flights.join(key, work, signal)
      } catch (cause) {
        const isOthers = cause instanceof FilmLost && cause.token !== undefined && cause.token !== film.token
        // Another job's token has run out, ours may hold.
        if (isOthers) return flights.join(`${key} ${film.token}`, work, signal)
        throw cause
      }
    },

    close() {
      flights.close()
      kept.clear()
    },
  }
}

/** Again and again, with pauses. @throws FilmLost once it cannot be expected to work any more; the signal's reason */
async function untilItWorks<T>(clock: Clock, signal: AbortSignal, attempt: (progress: () => void) => Promise<T>): Promise<T> {
  let movedAt = clock.monotonic()
  let pauseMs = FIRST_PAUSE_MS
  const progress = (): void => {
    movedAt = clock.monotonic()
    pauseMs = FIRST_PAUSE_MS
  }
  for (;;) {
    try {
      return await attempt(progress)
    } catch (cause) {
      signal.throwIfAborted()
      if (cause instanceof FilmLost) throw cause
      const why = cause instanceof Error ? cause.message : String(cause)
      if (clock.monotonic() - movedAt + pauseMs > PATIENCE_MS) throw new FilmLost(`The film cannot be fetched: ${why}`)
      await clock.sleep(pauseMs, signal)
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }
}
