/** Computes how much disk space a store may take, which also depends on the free space of the disk. */
import { statfs } from 'node:fs/promises'
import type { Clock } from '../../ports/clock.ts'

export interface DiskRoomOptions {
  readonly clock: Clock
  readonly folder: string
  readonly budgetBytes: number
  /** Space left free for everything else; 2 GB. */
  readonly floorBytes?: number
  /** Free bytes of the folder's disk; replaced only in tests. */
  readonly freeBytes?: (folder: string) => Promise<number>
}

export interface DiskRoom {
  /** The limit, given the space used now. */
  limit(usedBytes: number): Promise<Limit>
}

export interface Limit {
  readonly bytes: number
  /** Other programs leave no room. */
  readonly diskIsFull: boolean
}

const FLOOR_BYTES = 2_000_000_000
const BLOCK_BYTES = 4096
const SHARE_OF_FREE = 0.1
/** The free space is looked up again after this; our own writes are counted meanwhile. */
const FRESH_MS = 1_000

/** Disk space of a file of this size. */
export function blocksOf(sizeBytes: number): number {
  return Math.ceil(sizeBytes / BLOCK_BYTES) * BLOCK_BYTES
}

export function createDiskRoom(options: DiskRoomOptions): DiskRoom {
  const { clock, folder, budgetBytes, floorBytes = FLOOR_BYTES, freeBytes = freeOn } = options
  let known: { readonly atMs: number; readonly withoutUsBytes: number } | undefined
  return {
    async limit(usedBytes) {
      if (!known || clock.monotonic() - known.atMs > FRESH_MS) {
        known = { atMs: clock.monotonic(), withoutUsBytes: usedBytes + (await freeBytes(folder)) }
      }
      const aboveFloorBytes = known.withoutUsBytes - floorBytes
      const bytes = Math.max(0, Math.min(budgetBytes, known.withoutUsBytes * SHARE_OF_FREE, aboveFloorBytes))
      return { bytes, diskIsFull: aboveFloorBytes <= 0 }
    },
  }
}

/** Size of the disk that a folder lies on. */
export async function sizeOfDisk(folder: string): Promise<number> {
  const { blocks, bsize } = await statfs(folder)
  return blocks * bsize
}

async function freeOn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
