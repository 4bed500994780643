/**
 * Caches blocks of films fetched from the API, shared by all jobs that read the same version of a film. Each block is fetched once for all
 * waiting readers and passed on while it is still arriving. If the server is briefly unreachable, for example during a restart, fetches are
 * retried.
 */
import { createLruCache, type LruCache } from '../src/concurrency/lru-cache.ts'
import { createSingleFlight, type SingleFlight } from '../src/concurrency/single-flight.ts'
import type { Clock } from '../src/ports/clock.ts'
import { MediaLost, type MediaVersion, type RemoteMedia, type Upstream } from './media-upstream.ts'

export interface MediaBlocks {
  readonly blockBytes: number
  /** @throws MediaLost if it is unavailable; the signal's reason */
  version(mediaFile: RemoteMedia, signal: AbortSignal): Promise<MediaVersion>
  /** One block; a film's last block may be shorter. @throws MediaLost if it is unavailable; the signal's reason */
  read(mediaFile: RemoteMedia & MediaVersion, block: number, signal: AbortSignal): Promise<Uint8Array>
  /** One block that may still be arriving: held, and thereby fetched, until the signal aborts. */
  hold(mediaFile: RemoteMedia & MediaVersion, block: number, signal: AbortSignal): HeldBlock
  close(): void
}

export interface HeldBlock {
  /** The bytes available from this offset in the block on: at least one. @throws as `read` */
  from(at: number): Promise<Uint8Array>
}

export interface MediaBlocksOptions {
  readonly upstream: Upstream
  readonly clock: Clock
  /** Memory limit for the blocks. */
  readonly cacheBytes: number
  readonly blockBytes: number
}

/** Since the last byte arrived: a node restarts behind its proxy in less. */
const PATIENCE_MS = 15_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 3_000

/** A block being fetched. */
interface Arrival {
  readonly bytes: Uint8Array
  filled: number
  /** Settles with the next bytes. */
  more: PromiseWithResolvers<void>
}

interface State extends MediaBlocksOptions {
  readonly kept: LruCache<Uint8Array>
  readonly flights: SingleFlight<Uint8Array>
  readonly arrivals: Map<string, Arrival>
}

export function createMediaBlocks(options: MediaBlocksOptions): MediaBlocks {
  const { upstream, clock, cacheBytes, blockBytes } = options
  const kept = createLruCache<Uint8Array>(cacheBytes)
  const flights = createSingleFlight<Uint8Array>()
  const state: State = { ...options, kept, flights, arrivals: new Map() }

  return {
    blockBytes,
    version: (mediaFile, signal) => untilItWorks(clock, signal, () => upstream.version(mediaFile, signal)),
    read: (mediaFile, block, signal) => read(state, mediaFile, block, signal),
    hold: (mediaFile, block, signal) => hold(state, mediaFile, block, signal),

    close() {
      flights.close()
      kept.clear()
    },
  }
}

const keyOf = (mediaFile: MediaVersion & RemoteMedia, block: number): string => `${mediaFile.fileId} ${mediaFile.etag} ${block}`

async function fetch(
  { blockBytes, arrivals, clock, upstream, kept }: State,
  mediaFile: RemoteMedia & MediaVersion,
  block: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const start = block * blockBytes
  const bytes = Buffer.allocUnsafeSlow(Math.min(mediaFile.sizeBytes - start, blockBytes))
  const arrival: Arrival = { bytes, filled: 0, more: Promise.withResolvers() }
  const key = keyOf(mediaFile, block)
  arrivals.set(key, arrival)
  try {
    await untilItWorks(clock, signal, (progress) => {
      const came = (count: number): void => {
        arrive(arrival, count)
        progress()
      }
      return upstream.read(mediaFile, { first: start + arrival.filled, into: bytes.subarray(arrival.filled), came }, signal)
    })
  } finally {
    if (arrivals.get(key) === arrival) arrivals.delete(key)
  }
  kept.put(key, bytes, bytes.byteLength)
  return bytes
}

async function read(state: State, mediaFile: RemoteMedia & MediaVersion, block: number, signal: AbortSignal): Promise<Uint8Array> {
  const { kept, flights } = state
  const key = keyOf(mediaFile, block)
  const before = kept.get(key)
  if (before) return before
  const work = async (flight: AbortSignal): Promise<Uint8Array> => fetch(state, mediaFile, block, flight)
  try {
    return await flights.join(key, work, signal)
  } catch (cause) {
    const isOthers = cause instanceof MediaLost && cause.token !== undefined && cause.token !== mediaFile.token
    // The other job's token has expired; ours may still be valid.
    if (isOthers) return flights.join(`${key} ${mediaFile.token}`, work, signal)
    throw cause
  }
}

function hold(state: State, mediaFile: RemoteMedia & MediaVersion, block: number, signal: AbortSignal): HeldBlock {
  const key = keyOf(mediaFile, block)
  let all: Uint8Array | undefined
  const whole = read(state, mediaFile, block, signal).then((bytes) => void (all = bytes))
  whole.catch(() => undefined)
  return {
    async from(at) {
      for (;;) {
        const arrival = state.arrivals.get(key)
        const there = all ?? arrival?.bytes.subarray(0, arrival.filled)
        if (there && there.byteLength > at) return there.subarray(at)
        await (arrival ? Promise.race([whole, arrival.more.promise]) : whole)
      }
    },
  }
}

function arrive(arrival: Arrival, count: number): void {
  arrival.filled += count
  arrival.more.resolve()
  arrival.more = Promise.withResolvers()
}

/** Retries with increasing pauses. @throws MediaLost once further attempts are pointless; the signal's reason */
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
      if (cause instanceof MediaLost) throw cause
      const why = cause instanceof Error ? cause.message : String(cause)
      if (clock.monotonic() - movedAt + pauseMs > PATIENCE_MS) throw new MediaLost(`The film cannot be fetched: ${why}`)
      await clock.sleep(pauseMs, signal)
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }
}
