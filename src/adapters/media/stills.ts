/**
 * Stills by ffmpeg, kept as `<folder>/<2 first hex>/<fingerprint>.picture`: the cover that the file carries, else a frame. Two at once
 * at most; a film that gives none is not asked again until the next start.
 */
import { readFile } from 'node:fs/promises'
import { filmInput } from '../../ffmpeg/inputs.ts'
import { runShort } from '../../ffmpeg/run.ts'
import type { Stills, StillSource } from '../../ports/stills.ts'
import { contentPath } from '../content-path.ts'
import { writeWhole } from '../whole-file.ts'

const AT_ONCE = 2
const TIMEOUT_MS = 20_000
const BYTES_MAX = 8 * 1024 * 1024
const WAITING_MAX = 500
const FAILED_MAX = 10_000
const PIXELS_MAX = 50_000_000
/** Far enough in that titles and black are over. */
const SHARE = 0.1

export function createStills({ ffmpegPath, folder }: { readonly ffmpegPath: string; readonly folder: string }): Stills {
  const flights = new Map<string, Promise<Uint8Array | undefined>>()
  const failed = new Set<string>()
  const waiting: (() => void)[] = []
  let free = AT_ONCE

  async function make(source: StillSource, file: string): Promise<Uint8Array | undefined> {
    if (free > 0) free--
    else await new Promise<void>((go) => void waiting.push(go))
    try {
      const bytes = await pictureOf(ffmpegPath, source)
      if (bytes) await keep(file, bytes)
      else if (failed.size < FAILED_MAX) failed.add(source.fingerprint)
      return bytes
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

async function pictureOf(program: string, source: StillSource): Promise<Uint8Array | undefined> {
  return (
    (await take(program, source, COVER)) ??
    (await take(program, source, frameAt(source.durationMs * SHARE))) ??
    (await take(program, source, frameAt(0)))
  )
}

interface Taking {
  /** Arguments before the film, which choose where, and after it, which choose what. */
  readonly seek: readonly string[]
  readonly map: readonly string[]
  readonly widthMax: number
}

/** Attached pictures: all that are video in some way, without what is shown as one. Of several the first one's JPEG comes first. */
const COVER: Taking = { seek: [], map: ['-map', '0:v', '-map', '-0:V'], widthMax: 2000 }
const frameAt = (atMs: number): Taking => ({ seek: ['-ss', (atMs / 1000).toFixed(3)], map: ['-map', '0:V:0'], widthMax: 1280 })

/** Decoded here whatever it is, so that what comes out is a sound JPEG. */
async function take(program: string, { path }: StillSource, { seek, map, widthMax }: Taking): Promise<Uint8Array | undefined> {
  const input = ['-v', 'error', '-nostdin', ...filmInput(path, ['-max_pixels', String(PIXELS_MAX), ...seek])]
  const scale = `scale='min(${widthMax},iw*sar)':-2,setsar=1,format=yuvj420p`
  const output = ['-frames:v', '1', '-vf', scale, '-c:v', 'mjpeg', '-q:v', '3', '-f', 'image2pipe', 'pipe:1']
  const bounds = { work: 'read', timeoutMs: TIMEOUT_MS, maxBytes: BYTES_MAX } as const
  const { code, output: picture, stopped } = await runShort(program, [...input, ...map, ...output], bounds)
  return code !== 0 || stopped || picture.length === 0 ? undefined : picture
}

/** A full disk costs the copy, not the picture: it is made again next time. */
const keep = (file: string, bytes: Uint8Array): Promise<void> => writeWhole(file, bytes).catch(() => undefined)
