/**
 * Segment store on disk, within a budget of bytes that is never exceeded: room is made and counted before a byte is written. One file is
 * written at a time, and the write queue is bounded. If the disk is full or the folder is not writable, that is reported once, and nothing
 * is kept for a while.
 */
import type { SegmentStore, RenditionCache, RenditionCacheKey, Until, WatchedRange } from '../../ports/segment-store.ts'
import { createDiskRoom, type DiskRoomOptions } from './disk-room.ts'
import { createReadBuffers, type ReadBuffers } from './read-buffers.ts'
import * as files from './segment-files.ts'
import { createSegmentIndex, type SegmentIndex } from './segment-index.ts'
import { createSegmentWriter, type SegmentWriter } from './segment-writer.ts'
import type { Report } from '../../ports/report.ts'

export interface DiskStoreOptions extends DiskRoomOptions {
  /** Called once with a one-sentence error when segments cannot be kept. */
  readonly onError: Report<Error>
  /** Whether the group may read the segments: then another program may send their files. Default: only this user may. */
  readonly isShared?: boolean
}

interface State {
  readonly options: DiskStoreOptions
  readonly index: SegmentIndex
  readonly writer: SegmentWriter
  readonly buffers: ReadBuffers
}

const TIDY_MS = 10 * 60_000

export function createDiskSegmentStore(options: DiskStoreOptions): SegmentStore {
  const { clock, onError } = options
  const index = createSegmentIndex()
  const room = createDiskRoom(options)
  const writer = createSegmentWriter({ clock, index, room, root: options.folder, isShared: options.isShared ?? false, onError })
  const state: State = { options, index, writer, buffers: createReadBuffers() }
  const scanned = scan(state).catch((cause) => writer.failed(cause))
  const stopTidying = clock.every(TIDY_MS, () => writer.tidy())
  return {
    ready: () => scanned,
    open: (place, watched) => openShelf(state, place, watched),
    usedBytes: () => index.usedBytes(),
    async close() {
      stopTidying()
      await scanned
      await writer.close()
    },
  }
}

async function scan({ index, options, writer }: State): Promise<void> {
  for await (const { place, usedAt, files: found } of files.findFolders(options.folder)) {
    const folder = index.folderOf(place)
    // Segments put during the scan are newer.
    for (const { segment, ...entry } of found) if (!folder.entries.has(segment)) index.add(folder, segment, entry)
    // An empty folder also takes space until it is removed.
    index.reserve(folder, 0)
    folder.usedAt = Math.max(folder.usedAt, usedAt)
  }
  writer.tidy()
}

function openShelf(
  { index, options, writer, buffers }: State,
  place: RenditionCacheKey,
  watched: () => readonly WatchedRange[],
): RenditionCache {
  const folder = index.folderOf(place)
  folder.watched = watched
  folder.open = true
  folder.usedAt = options.clock.now()
  void files.markUsed(options.folder, place, folder.usedAt)

  async function read(segment: number, sizeBytes: number, until: Until | undefined): Promise<Uint8Array | undefined> {
    try {
      const into = until ? buffers.take(sizeBytes) : Buffer.allocUnsafeSlow(sizeBytes)
      const bytes = await files.readSegmentFile(options.folder, { place, segment }, into)
      until?.(() => buffers.giveBack(into))
      if (folder.entries.get(segment)?.isWhole !== true) await prove(segment)
      index.touch(folder, segment, options.clock.now())
      return bytes
    } catch {
      // The file is not as it was written: it is removed, so that the segment is made again.
      writer.remove(folder, [segment])
      return undefined
    }
  }

  /** A file that an earlier process has left was read, and is whole. */
  async function prove(segment: number): Promise<void> {
    if (options.isShared === true) await files.shareSegmentFile(options.folder, { place, segment })
    const entry = folder.entries.get(segment)
    if (entry) entry.isWhole = true
  }

  return {
    has: (segment) => folder.entries.has(segment) || writer.waiting(folder, segment) !== undefined,
    async get(segment, until) {
      const entry = folder.entries.get(segment)
      return entry ? read(segment, entry.sizeBytes, until) : writer.waiting(folder, segment)
    },
    file(segment) {
      const entry = folder.entries.get(segment)
      if (entry?.isWhole !== true) return undefined
      index.touch(folder, segment, options.clock.now())
      return { path: files.filePath(options.folder, place, segment), sizeBytes: entry.sizeBytes }
    },
    put(segment, bytes) {
      if (!folder.entries.has(segment)) writer.put(folder, segment, bytes)
    },
    clear() {
      folder.generation++
      writer.remove(folder, [...folder.entries.keys()])
    },
    close() {
      folder.open = false
      folder.watched = () => []
    },
  }
}
