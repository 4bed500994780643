/**
 * Image store on disk, within a budget of bytes: room is made before a file is written, and the least recently used files are evicted
 * first. The most requested images are also cached in memory. The write queue is bounded. If the disk is full or the folder is not
 * writable, that is reported once, and nothing is kept for a while.
 */
import { mkdir } from 'node:fs/promises'
import { withTimeout } from '../../concurrency/timeout.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { Clock } from '../../ports/clock.ts'
import type { StoredImage, ImageStore } from '../../ports/image-store.ts'
import { blocksOf, createDiskRoom, type DiskRoom, type DiskRoomOptions } from './disk-room.ts'
import { createDiskTrouble } from './disk-trouble.ts'
import * as files from './image-files.ts'
import type { Report } from '../../ports/report.ts'

export interface ImageStoreOptions extends DiskRoomOptions {
  readonly memoryBytes?: number
  /** Called once with a one-sentence error when images cannot be kept. */
  readonly onError: Report<Error>
}

const MEMORY_BYTES = 32 * 1024 * 1024
const WAITING_BYTES_MAX = 64 * 1024 * 1024
/** A disk that does not answer does not block shutdown. */
const CLOSE_MS = 5_000
/** Granularity of a file's time of last use: exact enough for eviction after a restart. */
const MARK_MS = 3_600_000

interface State {
  readonly root: string
  readonly clock: Clock
  readonly room: DiskRoom
  /** Least recently used first. */
  readonly index: Map<string, files.FoundImage>
  usedBytes: number
}

export function createDiskImageStore(options: ImageStoreOptions): ImageStore {
  const { clock, memoryBytes = MEMORY_BYTES, onError } = options
  const state: State = { root: options.folder, clock, room: createDiskRoom(options), index: new Map(), usedBytes: 0 }
  const inMemory = createLruCache<StoredImage>(memoryBytes)
  let waitingBytes = 0
  const trouble = createDiskTrouble({ what: 'Images', clock, onError })
  let last = fill(state).catch(trouble.failed)
  const filled = last

  async function write(key: string, { bytes, type, tag }: StoredImage): Promise<void> {
    try {
      if (trouble.isPausing() || state.index.get(key)?.tag === tag) return
      if (!(await makeRoom(state, bytes.byteLength))) return
      await files.writeImage(state.root, { key, tag, type }, bytes)
      await forget(state, key)
      enter(state, { key, tag, type, sizeBytes: bytes.byteLength, usedAt: clock.now() })
      trouble.worked()
    } catch (cause) {
      trouble.failed(cause)
    } finally {
      waitingBytes -= bytes.byteLength
    }
  }

  return {
    async get(key) {
      const held = inMemory.get(key)
      if (held) {
        use(state, key)
        return held
      }
      await filled
      const read = await readKept(state, key)
      if (read) inMemory.put(key, read, read.bytes.byteLength)
      return read
    },
    put(key, { bytes, type }) {
      const image = { bytes, type, tag: files.tagOf(bytes) }
      inMemory.put(key, image, bytes.byteLength)
      if (waitingBytes + bytes.byteLength <= WAITING_BYTES_MAX) {
        waitingBytes += bytes.byteLength
        last = last.then(() => write(key, image))
      }
      return image
    },
    close: () => withTimeout(last, { clock, ms: CLOSE_MS, message: 'Images could not be written in time' }).catch(() => undefined),
  }
}

async function fill(state: State): Promise<void> {
  await mkdir(state.root, { recursive: true, mode: 0o700 })
  for (const found of await files.findImages(state.root)) {
    await forget(state, found.key)
    enter(state, found)
  }
  await makeRoom(state, 0)
}

async function readKept(state: State, key: string): Promise<StoredImage | undefined> {
  const entry = state.index.get(key)
  if (!entry) return undefined
  const bytes = await files.readImage(state.root, entry)
  if (bytes) use(state, key)
  // It may have been replaced meanwhile: only the entry that was read is gone.
  else if (state.index.get(key) === entry) await forget(state, key)
  return bytes && { bytes, type: entry.type, tag: entry.tag }
}

function use(state: State, key: string): void {
  const entry = state.index.get(key)
  if (!entry) return
  const now = state.clock.now()
  const isMarked = now - entry.usedAt < MARK_MS
  state.index.delete(key)
  state.index.set(key, isMarked ? entry : { ...entry, usedAt: now })
  if (!isMarked) void files.markImageUsed(state.root, entry, now)
}

function enter(state: State, entry: files.FoundImage): void {
  state.index.set(entry.key, entry)
  state.usedBytes += blocksOf(entry.sizeBytes)
}

async function forget(state: State, key: string): Promise<void> {
  const entry = state.index.get(key)
  if (!entry) return
  state.index.delete(key)
  state.usedBytes -= blocksOf(entry.sizeBytes)
  await files.removeImage(state.root, entry)
}

/** Whether so much fits. @throws if other programs leave no room */
async function makeRoom(state: State, sizeBytes: number): Promise<boolean> {
  const limit = await state.room.limit(state.usedBytes)
  const wanted = blocksOf(sizeBytes)
  const fits = wanted <= limit.bytes
  for (const key of state.index.keys()) {
    if (state.usedBytes + (fits ? wanted : 0) <= limit.bytes) break
    await forget(state, key)
  }
  if (limit.diskIsFull && wanted > 0) throw new Error('The disk is full')
  return fits
}
