/**
 * Trickplay files: `<root>/<2 first hex>/<fingerprint>/` with `plan.json` and `<width>-<n>.jpg`. A set is made in a temporary folder and
 * renamed as a whole, so that a folder with its final name is complete.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { TrickplayPlan } from '../../vocabulary/trickplay.ts'
import type { Drafted, TrickplayDraft, TrickplaySet } from '../../ports/trickplay-store.ts'
import { isFingerprint } from '../shared/content-path.ts'
import { PRIVATE, UNFINISHED } from '../shared/whole-file.ts'
import { blocksOf } from './disk-room.ts'

const FOLDER = /^[0-9a-f]{2}$/
const PLAN = 'plan.json'
/** Version of the stored form. The first plans have none. Sets of another version are made again. */
const VERSION = 1

/** Undefined if it is missing or of another version. @throws Error it is not JSON */
export async function readPlan(folder: string): Promise<TrickplayPlan | undefined> {
  const text = await readFile(join(folder, PLAN), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { version = VERSION, ...plan } = JSON.parse(text) as TrickplayPlan & { readonly version?: number }
  return version === VERSION && isWhole(plan) ? plan : undefined
}

export const readSheet = (folder: string, { width }: TrickplayPlan, sheet: number): Promise<Uint8Array | undefined> =>
  readFile(join(folder, `${width}-${sheet}.jpg`)).catch(() => undefined)

/** A temporary folder for a set, and the function that completes it. */
export async function openDraft(folder: string): Promise<Draft> {
  const unfinished = `${folder}.${randomUUID()}${UNFINISHED}`
  await mkdir(unfinished, { recursive: true, mode: PRIVATE.folder })
  const sheetBytes: number[] = []
  const nameOf = (sheet: number) => join(unfinished, `${sheet}${UNFINISHED}`)
  return {
    async add(sheet) {
      await writeFile(nameOf(sheetBytes.length), sheet, { mode: PRIVATE.file })
      sheetBytes.push(sheet.byteLength)
    },
    isWhole: (drafted) => isWhole({ ...drafted, sheetBytes }),
    async finish(drafted) {
      const plan: TrickplayPlan = { ...drafted, sheetBytes }
      for (const sheet of sheetBytes.keys()) await rename(nameOf(sheet), join(unfinished, `${plan.width}-${sheet}.jpg`))
      await writeFile(join(unfinished, PLAN), JSON.stringify({ version: VERSION, ...plan }), { mode: PRIVATE.file })
      await removeSet(folder)
      await rename(unfinished, folder)
      return sizeOf(plan)
    },
    discard: () => rm(unfinished, { recursive: true, force: true }).catch(() => undefined),
  }
}

export interface Draft extends TrickplayDraft {
  /** Whether the sheets match the thumbnails. */
  isWhole(drafted: Drafted): boolean
  /** Returns the disk space of the set. */
  finish(drafted: Drafted): Promise<number>
  discard(): Promise<void>
}

function isWhole({ ptsMs, columns, rows, sheetBytes }: TrickplayPlan): boolean {
  return ptsMs.length > 0 && sheetBytes.length === Math.ceil(ptsMs.length / (columns * rows)) && sheetBytes.every((bytes) => bytes > 0)
}

function sizeOf({ sheetBytes }: TrickplayPlan): number {
  return sheetBytes.reduce((sum, bytes) => sum + blocksOf(bytes), blocksOf(1) * 2)
}

/** Removes it at once and as a whole, even if another process writes in it or this one is killed meanwhile: `sweep` removes the rest. */
export async function removeSet(folder: string): Promise<void> {
  const gone = join(dirname(folder), `${randomUUID()}${UNFINISHED}`)
  await rename(folder, gone).catch(unlessAbsent)
  await rm(gone, { recursive: true, force: true })
}

function unlessAbsent(cause: NodeJS.ErrnoException): void {
  if (cause.code !== 'ENOENT') throw cause
}

/** Records a use, for the search for unused sets. */
export const markUsed = (folder: string, atMs: number): Promise<void> =>
  utimes(join(folder, PLAN), atMs / 1000, atMs / 1000).catch(() => undefined)

/** Least recently used first; foreign files are left alone. */
export async function findSets(root: string): Promise<readonly TrickplaySet[]> {
  const found: TrickplaySet[] = []
  for await (const folder of entriesBelow(root)) {
    const fingerprint = basename(folder)
    const plan = isFingerprint(fingerprint) ? await readPlan(folder).catch(() => undefined) : undefined
    const stats = plan && (await stat(join(folder, PLAN)).catch(() => undefined))
    if (plan && stats) found.push({ fingerprint, usedAt: stats.mtimeMs, sizeBytes: sizeOf(plan) })
  }
  return found.sort((a, b) => a.usedAt - b.usedAt)
}

/** Removes leftovers of killed processes. */
export async function removeUnfinished(root: string): Promise<void> {
  for await (const folder of entriesBelow(root)) if (folder.endsWith(UNFINISHED)) await removeSet(folder)
}

async function* entriesBelow(root: string): AsyncGenerator<string> {
  for (const prefix of (await readdir(root).catch(() => [])).filter((name) => FOLDER.test(name))) {
    for (const name of await readdir(join(root, prefix)).catch(() => [])) yield join(root, prefix, name)
  }
}
