/**
 * Writer of the segment store: writes one file at a time, each after making room for it. The queue is bounded, and segments that do not fit
 * are not kept. If the disk is full or the folder is not writable, that is reported once, and retried later.
 */
import { withTimeout } from '../../concurrency/timeout.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DiskRoom } from './disk-room.ts'
import { createDiskTrouble, type DiskTrouble } from './disk-trouble.ts'
import { removeFolderFiles, removeSegmentFile, shareSegmentFile, writeSegmentFile } from './segment-files.ts'
import { isIn, nameOf, type Folder, type SegmentIndex } from './segment-index.ts'
import type { Report } from '../../ports/report.ts'

export interface SegmentWriterOptions {
  readonly clock: Clock
  readonly index: SegmentIndex
  readonly room: DiskRoom
  readonly root: string
  /** Whether the group may read them. */
  readonly isShared: boolean
  /** Called once with a one-sentence error when segments cannot be kept. */
  readonly onError: Report<Error>
}

export interface SegmentWriter {
  put(folder: Folder, segment: number, bytes: Uint8Array): void
  /** The bytes of a segment that is not written yet. */
  waiting(folder: Folder, segment: number): Uint8Array | undefined
  /** Removes from the index at once; from the disk before the next write. */
  remove(folder: Folder, segments: readonly number[]): void
  /** Removes films that nobody watches any more, and anything over the limit. */
  tidy(): void
  failed(cause: unknown): void
  /** Settles when all is written. */
  close(): Promise<void>
}

interface Waiting {
  readonly folder: Folder
  readonly segment: number
  readonly bytes: Uint8Array
  readonly generation: number
}

interface Doomed {
  readonly folder: Folder
  readonly segment: number
  readonly sizeBytes: number
}

interface State extends SegmentWriterOptions {
  /** In order of arrival. */
  readonly queue: Map<string, Waiting>
  readonly doomed: Doomed[]
  readonly trouble: DiskTrouble
  queuedBytes: number
  tidyWanted: boolean
  running: Promise<void> | undefined
  closed: boolean
}

const MAX_QUEUED_BYTES = 64 * 1024 * 1024
/** A disk that does not answer does not block shutdown. */
const CLOSE_MS = 5_000
const UNUSED_SOURCE_MS = 24 * 60 * 60_000

export function createSegmentWriter(options: SegmentWriterOptions): SegmentWriter {
  const state: State = {
    ...options,
    queue: new Map(),
    doomed: [],
    queuedBytes: 0,
    tidyWanted: false,
    running: undefined,
    trouble: createDiskTrouble({ what: 'Segments', ...options }),
    closed: false,
  }
  return {
    put(folder, segment, bytes) {
      const key = keyOf(folder, segment)
      const before = state.queue.get(key)
      const isFull = state.queuedBytes + bytes.byteLength > MAX_QUEUED_BYTES
      const isKnown = before?.generation === folder.generation
      if (state.closed || isFull || isKnown || state.trouble.isPausing()) return
      if (before) drop(state, key, before)
      state.queue.set(key, { folder, segment, bytes, generation: folder.generation })
      state.queuedBytes += bytes.byteLength
      run(state)
    },
    waiting(folder, segment) {
      const waiting = state.queue.get(keyOf(folder, segment))
      return waiting?.generation === folder.generation ? waiting.bytes : undefined
    },
    remove(folder, segments) {
      doom(state, folder, segments)
      run(state)
    },
    tidy() {
      state.tidyWanted = true
      run(state)
    },
    failed: (cause) => pause(state, cause),
    async close() {
      state.closed = true
      const running = state.running ?? Promise.resolve()
      await withTimeout(running, { clock: state.clock, ms: CLOSE_MS, message: 'Segments could not be written in time' }).catch(
        () => undefined,
      )
    },
  }
}

const keyOf = (folder: Folder, segment: number): string => `${nameOf(folder.place)}/${segment}`

/** The files stay counted until they are gone. */
function doom({ index, doomed }: State, folder: Folder, segments: readonly number[]): void {
  for (const segment of segments) {
    const entry = folder.entries.get(segment)
    if (!entry) continue
    index.remove(folder, segment)
    index.reserve(folder, entry.sizeBytes)
    doomed.push({ folder, segment, sizeBytes: entry.sizeBytes })
  }
}

function run(state: State): void {
  state.running ??= work(state)
    .catch((cause) => pause(state, cause))
    .finally(() => {
      state.running = undefined
    })
}

/** Runs until nothing is left to do, including requests made meanwhile. */
async function work(state: State): Promise<void> {
  while (state.doomed.length > 0 || state.tidyWanted || state.queue.size > 0) {
    await removeDoomed(state)
    if (state.tidyWanted) await tidy(state)
    const [next] = state.queue
    if (next) await write(state, next[1]).finally(() => drop(state, ...next))
  }
}

function drop(state: State, key: string, waiting: Waiting): void {
  if (state.queue.get(key) !== waiting) return
  state.queue.delete(key)
  state.queuedBytes -= waiting.bytes.byteLength
}

async function removeDoomed({ index, doomed, root }: State): Promise<void> {
  for (let next = doomed.shift(); next; next = doomed.shift()) {
    await removeSegmentFile(root, { place: next.folder.place, segment: next.segment }).finally(() => index.release(next.sizeBytes))
  }
}

async function write(state: State, { folder, segment, bytes, generation }: Waiting): Promise<void> {
  const { clock, index, root } = state
  const sizeBytes = bytes.byteLength
  if (generation !== folder.generation || !(await makeRoom(state, { folder, segment, sizeBytes }))) return
  index.reserve(folder, sizeBytes)
  try {
    await writeSegmentFile(root, { place: folder.place, segment }, bytes)
    if (state.isShared) await shareSegmentFile(root, { place: folder.place, segment })
  } finally {
    index.release(sizeBytes)
  }
  state.trouble.worked()
  index.add(folder, segment, { sizeBytes, usedAt: clock.now(), isWhole: true })
  // Everything was cleared during the write.
  if (generation !== folder.generation) doom(state, folder, [segment])
}

/** Whether there is room. Segments of the least worth are evicted first; those a viewer needs next are the last. */
async function makeRoom(state: State, { folder, segment, sizeBytes }: Doomed): Promise<boolean> {
  const { index, room } = state
  const limit = await room.limit(index.usedBytes())
  if (limit.diskIsFull) pause(state, new Error('The disk is full'))
  if (index.costBytes(folder, sizeBytes) > limit.bytes) return false
  const isNext = folder.watched().some(({ next }) => isIn([next], segment))
  return shrink(state, limit.bytes - index.costBytes(folder, sizeBytes), isNext)
}

/** Evicts until no more than this is used; false if it cannot. */
async function shrink(state: State, bytes: number, evenWatched = false): Promise<boolean> {
  const { clock, index } = state
  while (index.usedBytes() > bytes) {
    const victim = index.victim(clock.now()) ?? (evenWatched ? index.victim(clock.now(), 'watched') : undefined)
    if (!victim) return false
    doom(state, victim.folder, [victim.segment])
    await removeDoomed(state)
    await removeIfEmpty(state, victim.folder)
  }
  return true
}

async function tidy(state: State): Promise<void> {
  const { clock, index, room } = state
  state.tidyWanted = false
  const before = clock.now() - UNUSED_SOURCE_MS
  const used = new Set([...index.folders.values()].filter(({ open, usedAt }) => open || usedAt >= before).map(({ place }) => place.source))
  for (const folder of index.folders.values()) {
    if (!used.has(folder.place.source)) await removeFolder(state, folder)
    else await removeIfEmpty(state, folder)
  }
  await shrink(state, (await room.limit(index.usedBytes())).bytes)
}

/** An init segment alone is useless. */
async function removeIfEmpty(state: State, folder: Folder): Promise<void> {
  if (!folder.open && [...folder.entries.keys()].every((segment) => segment < 0)) await removeFolder(state, folder)
}

async function removeFolder({ index, root }: State, folder: Folder): Promise<void> {
  await removeFolderFiles(root, folder.place)
  index.removeFolder(folder)
}

/** Drops the queue: its segments are in memory, if there is room for them. */
function pause(state: State, cause: unknown): void {
  state.trouble.failed(cause)
  state.queue.clear()
  state.queuedBytes = 0
}
