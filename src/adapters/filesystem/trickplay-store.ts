/**
 * Trickplay store on disk, within a budget of bytes: the least recently used sets make room for new ones. Any number of processes may read
 * the folder; one at a time makes sets.
 */
import { mkdir } from 'node:fs/promises'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Drafted, TrickplayDraft, TrickplayKept, TrickplaySet, TrickplayStore } from '../../ports/trickplay-store.ts'
import { contentPath } from '../shared/content-path.ts'
import { PRIVATE } from '../shared/whole-file.ts'
import { createDiskRoom, type DiskRoom, type DiskRoomOptions } from './disk-room.ts'
import { createDiskTrouble, type DiskTrouble } from './disk-trouble.ts'
import * as files from './trickplay-files.ts'
import type { Report } from '../../ports/report.ts'

export interface TrickplayStoreOptions extends DiskRoomOptions {
  /** Called once with a one-sentence error when sets cannot be kept. */
  readonly onError: Report<Error>
}

/** Granularity of a set's time of last use: exact enough for eviction. */
const MARK_MS = 3_600_000
const MARKS = 1_000

interface State {
  readonly root: string
  readonly clock: Clock
  readonly room: DiskRoom
  readonly trouble: DiskTrouble
  /** Undefined: not counted yet, or another process may have made sets since. */
  usedBytes: number | undefined
}

export function createDiskTrickplayStore(options: TrickplayStoreOptions): TrickplayStore {
  const { clock, folder: root, onError } = options
  const trouble = createDiskTrouble({ what: 'Thumbnails of films', outcome: 'are not made', clock, onError })
  const state: State = { root, clock, room: createDiskRoom(options), trouble, usedBytes: undefined }
  const marks = createLruCache<number>(MARKS)

  function used(fingerprint: string): void {
    const now = clock.now()
    if (now - (marks.get(fingerprint) ?? -Infinity) < MARK_MS) return
    marks.put(fingerprint, now)
    void files.markUsed(contentPath(root, fingerprint), now)
  }

  /** A leftover takes space, but stops nothing else. */
  function cannotRemove(cause: Error): void {
    onError(new Error(`Preview images that are no longer needed cannot be removed: ${cause.message}`, { cause }), 'warn')
  }

  return {
    plan: async (fingerprint) => files.readPlan(contentPath(root, fingerprint)).catch(() => undefined),
    async sheet(fingerprint, { width, sheet }) {
      const folder = contentPath(root, fingerprint)
      const plan = await files.readPlan(folder).catch(() => undefined)
      if (plan?.width !== width || sheet >= plan.sheetBytes.length) return undefined
      used(fingerprint)
      return files.readSheet(folder, plan, sheet)
    },
    keep: (fingerprint, make, evicts) => keep(state, { fingerprint, make, evicts }),
    sets: () => files.findSets(root),
    async remove(fingerprint) {
      await files.removeSet(contentPath(root, fingerprint)).catch(cannotRemove)
      state.usedBytes = undefined
    },
    async sweep() {
      await files.removeUnfinished(root).catch(cannotRemove)
      state.usedBytes = undefined
    },
  }
}

interface Keeping {
  readonly fingerprint: string
  readonly make: (draft: TrickplayDraft) => Promise<Drafted | undefined>
  readonly evicts: boolean
}

/** Free space at the start of a set that evicts no other one. */
const RESERVE_BYTES = 4 * 1024 * 1024
/** Share of the limit that is freed in addition, so that not every sheet needs a search through all sets. */
const SPARE_SHARE = 0.02

async function keep(state: State, keeping: Keeping): Promise<TrickplayKept> {
  const { fingerprint, evicts } = keeping
  if (state.trouble.isPausing()) return 'disk-trouble'
  try {
    await onDisk(state, () => mkdir(state.root, { recursive: true, mode: PRIVATE.folder }))
    await haveRoom(state, evicts ? 0 : RESERVE_BYTES, evicts)
    const draft = await onDisk(state, () => files.openDraft(contentPath(state.root, fingerprint)))
    try {
      return await fill(state, draft, keeping)
    } finally {
      await draft.discard()
    }
  } catch (cause) {
    if (cause instanceof NoRoom) return 'no-room'
    if (cause instanceof DiskTroubled) return 'disk-trouble'
    throw cause
  }
}

async function fill(state: State, draft: files.Draft, { make, evicts }: Keeping): Promise<'kept' | 'failed'> {
  let sizeBytes = 0
  const drafted = await make({
    async add(sheet) {
      sizeBytes += sheet.byteLength
      await haveRoom(state, sizeBytes, evicts)
      await onDisk(state, () => draft.add(sheet))
    },
  })
  if (!drafted || !draft.isWhole(drafted)) return 'failed'
  const takenBytes = await onDisk(state, () => draft.finish(drafted))
  state.usedBytes = (state.usedBytes ?? 0) + takenBytes
  state.trouble.worked()
  return 'kept'
}

/** Our share of the disk is used up. */
class NoRoom extends Error {}
/** It is reported. */
class DiskTroubled extends Error {}

/** @throws DiskTroubled */
async function onDisk<Value>({ trouble }: State, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (cause) {
    trouble.failed(cause)
    throw new DiskTroubled()
  }
}

/** Evicts the least recently used sets if allowed. @throws NoRoom the limit does not allow so much more; DiskTroubled */
async function haveRoom(state: State, moreBytes: number, evicts: boolean): Promise<void> {
  const usedBytes = (state.usedBytes ??= sum(await files.findSets(state.root)))
  const limit = await onDisk(state, () => state.room.limit(usedBytes))
  if (limit.diskIsFull) await onDisk(state, () => Promise.reject(new Error('The disk is full')))
  if (moreBytes > limit.bytes || (!evicts && usedBytes + moreBytes > limit.bytes)) throw new NoRoom()
  if (usedBytes + moreBytes <= limit.bytes) return
  state.usedBytes = await onDisk(state, () => evict(state.root, limit.bytes * (1 - SPARE_SHARE) - moreBytes))
}

/** Evicts until no more than this is used. A set that cannot be removed is skipped. @throws the reason, if too little could be removed */
async function evict(root: string, mostBytes: number): Promise<number> {
  const sets = await files.findSets(root)
  let usedBytes = sum(sets)
  let why: unknown
  for (const { fingerprint, sizeBytes } of sets) {
    if (usedBytes <= mostBytes) return usedBytes
    try {
      await files.removeSet(contentPath(root, fingerprint))
      usedBytes -= sizeBytes
    } catch (cause) {
      why = cause
    }
  }
  if (why !== undefined && usedBytes > mostBytes) throw why
  return usedBytes
}

const sum = (sets: readonly TrickplaySet[]): number => sets.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0)
