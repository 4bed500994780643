/**
 * Puts restored files into a data folder, in the place of those that are there. Nothing is deleted or overwritten, and a marker stands for as
 * long as the files are mixed: no server starts then, and the next restoration goes on in the same folder for the former files.
 */
import { closeSync, cpSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { syncFolder, writeDurably } from '../adapters/shared/durable-file.ts'
import { PRIVATE, UNFINISHED } from '../adapters/shared/whole-file.ts'
import { JOURNALS, type DataFolder } from '../process/data-folder.ts'

export type Staging = Pick<DataFolder, 'path' | 'eventLog' | 'vault' | 'secret' | 'lasting'>

export interface Placing {
  readonly folder: DataFolder
  /** Complete and verified. It is gone afterwards. */
  readonly staging: Staging
  /** Of the backup. */
  readonly id: string
}

/** Gives the folder in which the former files are, if there were any. @throws the disk's error: then restoring again goes on */
export function putInPlace({ folder, staging, id }: Placing): string | undefined {
  syncTree(staging.path)
  const aside = markedAside(folder, id)
  for (const path of inTheWay(folder, staging)) setAside(path, aside)
  syncFolder(folder.path)
  takePlaces(folder, staging)
  rmSync(folder.restoreMarker)
  syncFolder(folder.path)
  rmSync(staging.path, { recursive: true, force: true })
  return existsSync(aside) ? aside : undefined
}

/** The folder that an interrupted restoration has begun to fill, or else a new name. From here on the marker names it. */
function markedAside({ path, restoreMarker }: DataFolder, id: string): string {
  if (existsSync(restoreMarker)) return join(path, basename(readFileSync(restoreMarker, 'utf8')))
  const aside = freeName(join(path, `before-restore-of-${id}`))
  writeDurably(restoreMarker, basename(aside))
  return aside
}

/** A database without its journal would be an older one, so journals are moved before it. */
function inTheWay(folder: DataFolder, staging: Staging): readonly string[] {
  const databases = [folder.eventLog, folder.vault, folder.readModels, folder.idempotencyStore]
  const files = databases.flatMap((path) => JOURNALS.toReversed().map((end) => `${path}${end}`))
  const secret = existsSync(staging.secret) ? [folder.secret] : []
  return [...files, folder.formats, folder.lasting, ...secret].filter((path) => existsSync(path))
}

/** What an interrupted restoration has put in place already gets a name behind the former file. */
function setAside(path: string, aside: string): void {
  mkdirSync(aside, { recursive: true, mode: PRIVATE.folder })
  move(path, freeName(join(aside, basename(path))))
  syncFolder(aside)
}

/** The log comes last. */
function takePlaces(folder: DataFolder, staging: Staging): void {
  if (existsSync(staging.secret)) renameSync(staging.secret, folder.secret)
  if (existsSync(staging.lasting)) {
    mkdirSync(dirname(folder.lasting), { recursive: true, mode: PRIVATE.folder })
    move(staging.lasting, folder.lasting)
    syncFolder(dirname(folder.lasting))
  }
  renameSync(staging.vault, folder.vault)
  renameSync(staging.eventLog, folder.eventLog)
  syncFolder(folder.path)
}

/** The folder of blobs may be on another disk: then the name stands for a whole copy only. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EXDEV')) throw cause
    const unfinished = `${to}${UNFINISHED}`
    rmSync(unfinished, { recursive: true, force: true })
    cpSync(from, unfinished, { recursive: true })
    syncTree(unfinished)
    renameSync(unfinished, to)
    syncFolder(dirname(to))
    rmSync(from, { recursive: true })
  }
}

function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else if (entry.isFile()) syncFile(path)
  }
  syncFolder(folder)
}

function syncFile(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Earlier restorations have set files aside, too: those stay as they are. */
function freeName(path: string): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? path : `${path}-${n}`
    if (!existsSync(name)) return name
  }
}
