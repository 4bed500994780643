/** Decides whether the disk has room for a transaction: one that fails for want of room would take what it shows to readers with it. */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { StorageTrouble } from '../../ports/server.ts'

/** With less free space a disk counts as full: SQLite's journals allocate that much at once. */
export const LEAST_ROOM_BYTES = 1_048_576
/** Measured: pages that a document of many adds to the journal. */
const DOCUMENT_BYTES = 4_096

export type FreeBytes = (folder: string) => number

/** Why a transaction that has written so many documents cannot be put on disk now; undefined: it can. */
export function noRoomFor(file: string, documents: number, freeBytes: FreeBytes = freeOn): StorageTrouble | undefined {
  const isRoom = freeBytes(dirname(file)) >= LEAST_ROOM_BYTES + documents * DOCUMENT_BYTES
  return isRoom ? undefined : new StorageTrouble('disk-full', file)
}

/** A disk that does not say how full it is is written to. */
function freeOn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return Infinity
  }
}
