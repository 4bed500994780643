/**
 * Cache of the provider's answers, compressed, a file each: `<folder>/<2 first hex>/<name>.json.gz`. Several processes may share the
 * folder. Bounded by their number: the oldest are removed. Answers that cannot be written stay in memory for a while, and that is reported
 * once.
 */
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { Clock } from '../../ports/clock.ts'
import { createDiskTrouble } from '../filesystem/disk-trouble.ts'
import { PRIVATE, UNFINISHED, writeWhole } from '../shared/whole-file.ts'
import type { Report } from '../../ports/report.ts'

/** `answer`: null if the provider does not have it. */
export type CachedResponse = Static<typeof Kept>
const Kept = Type.Object({ savedAt: Type.Number(), answer: Type.Unknown() })

export interface ResponseCache {
  /** `name`: 64 hex digits. */
  get(name: string): Promise<CachedResponse | undefined>
  put(name: string, answer: unknown): Promise<void>
}

export interface ResponseCacheOptions {
  readonly folder: string
  readonly clock: Clock
  readonly onError: Report<Error>
  readonly answersMax?: number
}

const ANSWERS_MAX = 20_000
/** Limit in characters of JSON. */
const IN_MEMORY_MAX = 8 * 1024 * 1024
/** The number of files is checked after so many writes, as a share of the maximum. */
const SWEEP_SHARE = 0.05
const UNPACKED_BYTES_MAX = 16 * 1024 * 1024
const ABANDONED_MS = 3_600_000
const FOLDER = /^[0-9a-f]{2}$/

const pack = promisify(gzip)
const unpack = promisify(gunzip)

export function createResponseCache({ folder, clock, onError, answersMax = ANSWERS_MAX }: ResponseCacheOptions): ResponseCache {
  const recent = createLruCache<CachedResponse>(IN_MEMORY_MAX)
  const trouble = createDiskTrouble({ what: 'Answers of the provider of online metadata', clock, onError })
  const sweepEvery = Math.ceil(answersMax * SWEEP_SHARE)
  let untilSweep = 0
  const pathOf = (name: string): string => join(folder, name.slice(0, 2), `${name}.json.gz`)

  async function write(name: string, json: string): Promise<void> {
    const isDue = untilSweep === 0
    untilSweep = (isDue ? sweepEvery : untilSweep) - 1
    if (isDue) await sweep(folder, answersMax - sweepEvery, clock.now())
    await writeWhole(pathOf(name), await pack(json), PRIVATE)
  }

  return {
    async get(name) {
      const held = recent.get(name)
      if (held) return held
      const json = await readJson(pathOf(name))
      const kept = keptIn(json)
      if (kept) recent.put(name, kept, json.length)
      return kept
    },
    async put(name, answer) {
      const kept = { savedAt: clock.now(), answer }
      const json = jsonOf(kept)
      if (json === undefined) return
      recent.put(name, kept, json.length)
      if (!trouble.isPausing()) await write(name, json).then(() => trouble.worked(), trouble.failed)
    },
  }
}

/** Undefined for an answer that is nested too deeply to be written: JSON.stringify recurses, JSON.parse does not. */
function jsonOf(kept: CachedResponse): string | undefined {
  try {
    return JSON.stringify(kept)
  } catch (cause) {
    if (cause instanceof RangeError) return undefined
    throw cause
  }
}

/** Empty if it is missing or incomplete. */
async function readJson(path: string): Promise<string> {
  return readFile(path)
    .then((packed) => unpack(packed, { maxOutputLength: UNPACKED_BYTES_MAX }))
    .then((bytes) => bytes.toString())
    .catch(() => '')
}

/** Undefined if it is not as it was written. */
function keptIn(json: string): CachedResponse | undefined {
  try {
    const kept: unknown = JSON.parse(json)
    return Check(Kept, kept) ? kept : undefined
  } catch {
    return undefined
  }
}

/** Keeps the newest, and no incomplete files. */
async function sweep(folder: string, leave: number, now: number): Promise<void> {
  const found: { readonly path: string; readonly writtenAt: number }[] = []
  for (const part of (await readdir(folder).catch(() => [])).filter((name) => FOLDER.test(name))) {
    for (const name of await readdir(join(folder, part)).catch(() => [])) {
      const path = join(folder, part, name)
      const writtenAt = (await stat(path).catch(() => undefined))?.mtimeMs
      if (writtenAt === undefined) continue
      if (!name.endsWith(UNFINISHED)) found.push({ path, writtenAt })
      else if (now - writtenAt > ABANDONED_MS) await rm(path, { force: true })
    }
  }
  const oldest = found.sort((a, b) => a.writtenAt - b.writtenAt).slice(0, Math.max(0, found.length - leave))
  for (const { path } of oldest) await rm(path, { force: true })
}
