/**
 * The file system calls on media, of the whole process: everything that reads films and their companions goes through here, so that a drive
 * that does not answer cannot take all threads. Each throws NoAnswer if the drive takes too long.
 */
import type { BigIntStats, Dirent, Stats } from 'node:fs'
import { open, readdir, readlink, realpath, stat, type FileHandle } from 'node:fs/promises'
import { abortable } from '../concurrency/timeout.ts'
import { createDriveOf } from './links.ts'
import { createMounts } from './mounts.ts'
import { createPlaces, NoAnswer } from './places.ts'

/** An open file. Nobody has to wait until it is closed: that may take as long as the drive likes. */
export interface MediaHandle {
  read(bytes: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>
  stat(): Promise<Stats>
  /** With nanoseconds. */
  exactStat(): Promise<BigIntStats>
  close(): void
}

/** Of libuv, if the environment gives no other. */
const USUAL_THREADS = 4
/** Enough for a disk to sort requests by their place, as many as ever were made at once. */
const EACH = 4
/** Threads for everything else: cached segments, compression, name look-ups. */
const OTHERS = 4

const threads = Math.max(1, Math.trunc(Number(process.env['UV_THREADPOOL_SIZE'])) || USUAL_THREADS)
const places = createPlaces({
  each: Math.min(EACH, Math.ceil(threads / 2)),
  all: threads > 2 * OTHERS ? threads - OTHERS : Math.max(1, threads - 1),
  // Walks have some hundred.
  waitingMost: 4_096,
  // As long as the longest wait for a file.
  patienceMs: 30_000,
  // A network drive may be interrupted for a minute, and a folder in the cloud takes as long to list.
  answerMs: 120_000,
  after(ms, callback) {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
})
const mounts = createMounts()
const driveOf = createDriveOf({ mounts, places, readLink: readlink, now: () => performance.now() })

/** Names the drive of a path, as far as that is known without a look at the links in it. */
export const driveAt = (path: string): string => mounts.driveOf(path)

/** For other calls that touch a path. */
export const onDriveOf = async <Value>(path: string, call: () => Promise<Value>): Promise<Value> => places.call(await driveOf(path), call)

/** For several calls on one drive, as `driveAt` names it. */
export const onDrive = <Value>(drive: string, call: () => Promise<Value>): Promise<Value> => places.call(drive, call)

/** Threads whose calls block. */
const blocking = new Set<symbol>()

/** For a thread whose calls to drives block. Call the returned function when it has ended. */
export function holdThread(): () => void {
  const thread = Symbol('thread')
  blocking.add(thread)
  return () => void blocking.delete(thread)
}

/** Whether threads may wait for drives. Such a thread cannot be ended. */
export const areThreadsHeld = (): boolean => places.unanswered() > 0 || blocking.size > 0

export const statMedia = (path: string): Promise<Stats> => onDriveOf(path, () => stat(path))

/** Whether the drive of a path says anything of it in time, also that it is not there. */
export function driveAnswers(path: string, ms: number): Promise<boolean> {
  const looked = statMedia(path).then(
    () => true,
    (cause: unknown) => !(cause instanceof NoAnswer),
  )
  return abortable(looked, AbortSignal.timeout(ms)).catch(() => false)
}

export const realpathMedia = (path: string): Promise<string> => onDriveOf(path, () => realpath(path))

export const listMedia = (path: string): Promise<Dirent[]> => onDriveOf(path, () => readdir(path, { withFileTypes: true }))

export async function openMedia(path: string): Promise<MediaHandle> {
  const drive = await driveOf(path)
  let isLate = false
  const handle = await places
    .call(drive, () => opened(path, () => isLate))
    .catch((cause: unknown) => {
      isLate = true
      throw cause
    })
  return {
    stat: () => places.call(drive, () => handle.stat()),
    exactStat: () => places.call(drive, () => handle.stat({ bigint: true })),
    read: (bytes, offset, length, position) => places.call(drive, () => handle.read(bytes, offset, length, position)),
    close: () => places.owe(drive, () => handle.close()),
  }
}

/** Closes it again if nobody waits for it any longer. */
async function opened(path: string, isLate: () => boolean): Promise<FileHandle> {
  const handle = await open(path, 'r')
  if (isLate()) await handle.close()
  return handle
}
