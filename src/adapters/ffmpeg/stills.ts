/**
 * Makes stills by ffmpeg, kept as `<folder>/<2 first hex>/<fingerprint>.picture`: the cover embedded in the file, else a frame. At most two
 * at once; a film that yields none is not tried again until the next start.
 */
import { readFile } from 'node:fs/promises'
import type { Clock } from '../../ports/clock.ts'
import { MediaReadLost, type MediaRead, type RunningMediaRead, type StartMediaRead } from '../../ports/media-reads.ts'
import type { Stills, StillSource } from '../../ports/stills.ts'
import { contentPath } from '../shared/content-path.ts'
import { writeWhole } from '../shared/whole-file.ts'
import { startBounded, untilRead } from './bounded-read.ts'

const AT_ONCE = 2
const TIMEOUT_MS = 20_000
/** A person waits for the image. */
const PATIENCE_MS = 10_000
const BYTES_MAX = 8 * 1024 * 1024
const WAITING_MAX = 500
const FAILED_MAX = 10_000
/** Far enough in to be past titles and black. */
const SHARE = 0.1

export interface StillsOptions {
  readonly clock: Clock
  readonly start: StartMediaRead
  readonly folder: string
}

export function createStills({ clock, start, folder }: StillsOptions): Stills {
  const flights = new Map<string, Promise<Uint8Array | undefined>>()
  const failed = new Set<string>()
  const waiting: (() => void)[] = []
  let free = AT_ONCE

  async function make(source: StillSource, file: string): Promise<Uint8Array | undefined> {
    if (free > 0) free--
    else await new Promise<void>((go) => void waiting.push(go))
    try {
      const bytes = await imageOf({ clock, start }, source)
      if (bytes) await keep(file, bytes)
      else if (failed.size < FAILED_MAX) failed.add(source.fingerprint)
      return bytes
    } catch (cause) {
      // No agent has examined the film: it may be tried again.
      if (cause instanceof MediaReadLost && cause.of !== 'agent') return undefined
      if (!(cause instanceof MediaReadLost)) throw cause
      if (failed.size < FAILED_MAX) failed.add(source.fingerprint)
      return undefined
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }

  return {
    async still(source) {
      const { fingerprint } = source
      const file = contentPath(folder, fingerprint, '.picture')
      const kept = await readFile(file).catch(() => undefined)
      if (kept || failed.has(fingerprint) || waiting.length >= WAITING_MAX) return kept
      const flight = flights.get(fingerprint) ?? make(source, file).finally(() => flights.delete(fingerprint))
      flights.set(fingerprint, flight)
      return flight
    },
  }
}

type Reading = Pick<StillsOptions, 'clock' | 'start'>

async function imageOf(reading: Reading, source: StillSource): Promise<Uint8Array | undefined> {
  return (
    (await take(reading, source, { type: 'cover' })) ??
    (await take(reading, source, { type: 'frame', atMs: source.durationMs * SHARE })) ??
    (await take(reading, source, { type: 'frame', atMs: 0 }))
  )
}

const NEVER = new AbortController().signal

async function take(reading: Reading, { path, isBackground = false }: StillSource, read: MediaRead): Promise<Uint8Array | undefined> {
  const once = async () => {
    const bounds = { timeoutMs: TIMEOUT_MS, patienceMs: PATIENCE_MS, signal: NEVER }
    const { child, end } = startBounded(reading, { path, read, priority: isBackground ? 'behind' : 'now', ...bounds })
    try {
      return await gather(child)
    } finally {
      end()
    }
  }
  return untilRead(reading.clock, once, NEVER)
}

/** Undefined if it was incomplete or too large. @throws MediaReadLost */
async function gather({ output, exited }: RunningMediaRead): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const piece of output) {
      bytes += piece.byteLength
      if (bytes > BYTES_MAX) return undefined
      pieces.push(piece)
    }
  } catch (cause) {
    if (cause instanceof MediaReadLost) throw cause
    return undefined
  }
  const { code } = await exited
  return code === 0 && bytes > 0 ? Buffer.concat(pieces) : undefined
}

/** A full disk costs the copy, not the image: it is made again next time. */
const keep = (file: string, bytes: Uint8Array): Promise<void> => writeWhole(file, bytes).catch(() => undefined)
