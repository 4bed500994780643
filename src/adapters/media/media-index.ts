/**
 * Media indexes, kept for ever under the fingerprint of the film's content: `<folder>/<2 first hex>/<fingerprint>.json`. Large
 * and made again at any time, so a file and no event.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { MediaIndex } from '../../ports/media.ts'
import { unlessAborted } from './deadline.ts'
import type { PacketScan } from './packet-scan.ts'

export type MakeIndex = (path: string, signal: AbortSignal) => Promise<PacketScan>
export type FindIndex = (path: string, fingerprint: string, signal: AbortSignal) => Promise<MediaIndex>

interface Flight {
  readonly result: Promise<MediaIndex>
  readonly stop: AbortController
  waiters: number
}

const VERSION = 1

/** Finds a kept index or makes it; callers that ask for the same one at the same time share one scan. */
export function createMediaIndex({ folder, make }: { readonly folder: string; readonly make: MakeIndex }): FindIndex {
  const flights = new Map<string, Flight>()

  function takeOff(path: string, fingerprint: string): Flight {
    const stop = new AbortController()
    const result = findOrMake({ path, file: fileOf(folder, fingerprint), make, signal: stop.signal }).finally(() => {
      if (flights.get(fingerprint) === flight) flights.delete(fingerprint)
    })
    result.catch(() => undefined)
    const flight: Flight = { result, stop, waiters: 0 }
    flights.set(fingerprint, flight)
    return flight
  }

  return async (path, fingerprint, signal) => {
    if (!/^[0-9a-f]{64}$/.test(fingerprint)) throw new Error('Not a fingerprint')
    signal.throwIfAborted()
    const flight = flights.get(fingerprint) ?? takeOff(path, fingerprint)
    flight.waiters++
    try {
      return await unlessAborted(flight.result, signal)
    } finally {
      if (--flight.waiters === 0) {
        // Whoever comes after the last waiter has left starts anew.
        if (flights.get(fingerprint) === flight) flights.delete(fingerprint)
        flight.stop.abort()
      }
    }
  }
}

interface Work {
  readonly path: string
  readonly file: string
  readonly make: MakeIndex
  readonly signal: AbortSignal
}

async function findOrMake({ path, file, make, signal }: Work): Promise<MediaIndex> {
  const kept = await readIndex(file)
  if (kept) return kept
  const { whole, ...index } = await make(path, signal)
  if (whole) await keep(file, index)
  return index
}

function fileOf(folder: string, fingerprint: string): string {
  return join(folder, fingerprint.slice(0, 2), `${fingerprint}.json`)
}

async function readIndex(file: string): Promise<MediaIndex | undefined> {
  try {
    const { version, ...index } = JSON.parse(await readFile(file, 'utf8')) as MediaIndex & { version: number }
    const numbers = [index.zeroMs, index.videoStartMs, index.videoEndMs, index.audioStartMs ?? 0, ...index.keyframesMs.slice(0, 1)]
    return version === VERSION && numbers.every(Number.isFinite) ? index : undefined
  } catch {
    return undefined
  }
}

/** A disk that is full costs the next caller a scan, not this one its index. */
async function keep(file: string, index: MediaIndex): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(temporary, JSON.stringify({ version: VERSION, ...index }))
    await rename(temporary, file)
  } catch {
    await rm(temporary, { force: true }).catch(() => undefined)
  }
}
