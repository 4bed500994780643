/**
 * In-memory index of the segments on disk: which exist, how much space they take, and which to evict first. Counts like the disk, in whole
 * blocks and including the folders.
 */
import { INIT, type SegmentRange, type RenditionCacheKey, type WatchedRange } from '../../ports/segment-store.ts'
import { blocksOf } from './disk-room.ts'

export interface Entry {
  readonly sizeBytes: number
  usedAt: number
  /** Whether this process has written or read all of it: what a crash has left may be truncated. */
  isWhole?: boolean
}

export interface Folder {
  readonly place: RenditionCacheKey
  /** Least recently used first, except for the init segment, which is removed only with its folder. */
  readonly entries: Map<number, Entry>
  watched: () => readonly WatchedRange[]
  /** Whether the rendition is in use. */
  open: boolean
  usedAt: number
  /** Whether it exists on disk, and is counted. */
  made: boolean
  /** Rises when everything is cleared: earlier puts are void. */
  generation: number
}

export interface Victim {
  readonly folder: Folder
  readonly segment: number
}

export interface SegmentIndex {
  readonly folders: ReadonlyMap<string, Folder>
  /** Bytes on disk, including planned writes. */
  usedBytes(): number
  folderOf(place: RenditionCacheKey): Folder
  /** Disk space of a file of this size, with the folder if that does not exist yet. */
  costBytes(folder: Folder, sizeBytes: number): number
  /** Counts blocks of planned writes, or of removed files that still exist on disk. */
  reserve(folder: Folder, sizeBytes: number): void
  release(sizeBytes: number): void
  add(folder: Folder, segment: number, entry: Entry): void
  remove(folder: Folder, segment: number): void
  removeFolder(folder: Folder): void
  touch(folder: Folder, segment: number, now: number): void
  /** The next one to evict; with `even` also segments near to viewers, except those they need next. */
  victim(now: number, even?: 'watched'): Victim | undefined
}

/** The folders of a rendition and its source. */
const FOLDER_BYTES = 2 * blocksOf(1)
const NOBODY = (): readonly WatchedRange[] => []

export const nameOf = ({ source, rendition, cost }: RenditionCacheKey): string => `${source}/${rendition}-${cost}`

export function createSegmentIndex(): SegmentIndex {
  const folders = new Map<string, Folder>()
  let usedBytes = 0

  function remove(folder: Folder, segment: number): void {
    const entry = folder.entries.get(segment)
    if (!entry) return
    folder.entries.delete(segment)
    usedBytes -= blocksOf(entry.sizeBytes)
  }

  const costBytes = (folder: Folder, sizeBytes: number): number => blocksOf(sizeBytes) + (folder.made ? 0 : FOLDER_BYTES)

  return {
    folders,
    usedBytes: () => usedBytes,
    folderOf(place) {
      const known = folders.get(nameOf(place))
      if (known) return known
      const folder = { place, entries: new Map(), watched: NOBODY, open: false, usedAt: 0, made: false, generation: 0 }
      folders.set(nameOf(place), folder)
      return folder
    },
    costBytes,
    reserve(folder, sizeBytes) {
      usedBytes += costBytes(folder, sizeBytes)
      folder.made = true
    },
    release: (sizeBytes) => void (usedBytes -= blocksOf(sizeBytes)),
    add(folder, segment, entry) {
      remove(folder, segment)
      usedBytes += costBytes(folder, entry.sizeBytes)
      folder.made = true
      folder.entries.set(segment, entry)
      folder.usedAt = Math.max(folder.usedAt, entry.usedAt)
    },
    remove,
    removeFolder(folder) {
      for (const segment of folder.entries.keys()) remove(folder, segment)
      if (folder.made) usedBytes -= FOLDER_BYTES
      folder.made = false
      if (!folder.open) folders.delete(nameOf(folder.place))
    },
    touch(folder, segment, now) {
      const entry = folder.entries.get(segment)
      if (!entry) return
      entry.usedAt = now
      folder.usedAt = now
      folder.entries.delete(segment)
      folder.entries.set(segment, entry)
    },
    victim: (now, even) => leastWorth(folders.values(), now, even === 'watched'),
  }
}

/** Copies first; then segments that are cheap to make again and have not been used for long. */
function leastWorth(folders: Iterable<Folder>, now: number, evenWatched: boolean): Victim | undefined {
  let least: (Victim & { readonly worth: number; readonly ageMs: number }) | undefined
  for (const folder of folders) {
    const watched = folder.watched()
    const held = evenWatched ? watched.map(({ next }) => next) : watched
    const segment = oldestBut(folder, held)
    if (segment === undefined) continue
    const ageMs = Math.max(1, now - (folder.entries.get(segment)?.usedAt ?? 0))
    const worth = folder.place.cost / ageMs
    if (!least || worth < least.worth || (worth === least.worth && ageMs > least.ageMs)) least = { folder, segment, worth, ageMs }
  }
  return least
}

function oldestBut(folder: Folder, held: readonly SegmentRange[]): number | undefined {
  for (const segment of folder.entries.keys()) if (segment !== INIT && !isIn(held, segment)) return segment
  return undefined
}

export function isIn(ranges: readonly SegmentRange[], segment: number): boolean {
  return ranges.some(({ from, through }) => segment >= from && segment <= through)
}
