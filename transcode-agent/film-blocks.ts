/**
 * Blocks of films that are fetched from the API: kept as long as there is room, the same for all jobs that read the same version of a
 * film, each fetched once however many wait for it, and handed on while it is still coming. A server that is away for a moment, while
 * it is restarted, is waited for.
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
  /** One block that may still be on its way: held, and thereby fetched, until the signal aborts. */
  hold(film: RemoteFilm & FilmVersion, block: number, signal: AbortSignal): HeldBlock
  close(): void
}

export interface HeldBlock {
  /** What is there from a byte of the block on: one byte at least. @throws as `read` */
  from(at: number): Promise<Uint8Array>
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

/** A block on its way. */
interface Arrival {
  readonly bytes: Uint8Array
  filled: number
  /** Settles with the next bytes. */
  more: PromiseWithResolvers<void>
}

export function createFilmBlocks({ upstream, clock, cacheBytes, blockBytes }: FilmBlocksOptions): FilmBlocks {
  const kept = createRecent<Uint8Array>(cacheBytes)
  const flights = createSharedFlights<Uint8Array>()
  const arrivals = new Map<string, Arrival>()
  const keyOf = (film: FilmVersion & RemoteFilm, block: number): string => `${film.fileId} ${film.etag} ${block}`

  async function fetch(film: RemoteFilm & FilmVersion, block: number, signal: AbortSignal): Promise<Uint8Array> {
    const start = block * blockBytes
    const bytes = Buffer.allocUnsafeSlow(Math.min(film.sizeBytes - start, blockBytes))
    const arrival: Arrival = { bytes, filled: 0, more: Promise.withResolvers() }
    const key = keyOf(film, block)
    arrivals.set(key, arrival)
    try {
      await untilItWorks(clock, signal, (progress) => {
        const came = (count: number): void => {
          arrive(arrival, count)
          progress()
        }
        return upstream.read(film, { first: start + arrival.filled, into: bytes.subarray(arrival.filled), came }, signal)
      })
    } finally {
      if (arrivals.get(key) === arrival) arrivals.delete(key)
    }
    kept.put(key, bytes, bytes.byteLength)
    return bytes
  }

  async function read(film: RemoteFilm & FilmVersion, block: number, signal: AbortSignal): Promise<Uint8Array> {
    const key = keyOf(film, block)
    const before = kept.get(key)
    if (before) return before
    const work = async (flight: AbortSignal): Promise<Uint8Array> => fetch(film, block, flight)
    try {
      return await flights.join(key, work, signal)
    } catch (cause) {
      const isOthers = cause instanceof FilmLost && cause.token !== undefined && cause.token !== film.token
      // Another job's token has run out, ours may hold.
      if (isOthers) return flights.join(`${key} ${film.token}`, work, signal)
      throw cause
    }
  }

  return {
    blockBytes,
    version: (film, signal) => untilItWorks(clock, signal, () => upstream.version(film, signal)),
    read,

    hold(film, block, signal) {
      const key = keyOf(film, block)
      let all: Uint8Array | undefined
      const whole = read(film, block, signal).then((bytes) => void (all = bytes))
      whole.catch(() => undefined)
      return {
        async from(at) {
          for (;;) {
            const arrival = arrivals.get(key)
            const there = all ?? arrival?.bytes.subarray(0, arrival.filled)
            if (there && there.byteLength > at) return there.subarray(at)
            await (arrival ? Promise.race([whole, arrival.more.promise]) : whole)
          }
        },
      }
    },

    close() {
      flights.close()
      kept.clear()
    },
  }
}

function arrive(arrival: Arrival, count: number): void {
  arrival.filled += count
  arrival.more.resolve()
  arrival.more = Promise.withResolvers()
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
