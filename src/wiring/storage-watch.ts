/**
 * Watches whether the data folder still belongs to this process and has space. Reports each problem once when it begins and once when it
 * has passed, however many parts of the program encounter it.
 */
import { statfs } from 'node:fs/promises'
import { LEAST_ROOM_BYTES } from '../adapters/sqlite/commit-room.ts'
import { knownFiles, missedFileLater, type KnownFile } from '../adapters/sqlite/same-files.ts'
import type { Clock } from '../ports/clock.ts'
import type { Report } from '../ports/report.ts'
import { StorageTrouble, type StorageTroubleCode } from '../ports/server.ts'
import type { EventLog } from '../ports/event-log.ts'

export interface StorageWatch {
  /** From now on the files must not be moved: they are open. */
  begin(): void
  /** Reports a problem that a part of the program has encountered, if it is new. */
  noticed(trouble: StorageTrouble): void
  /** The reason for readiness; undefined: no problem. It contains no path, because the endpoint is public. */
  reason(): string | undefined
  /** Why nothing may be appended to the log: the read models need room, too. Nothing is stored then. */
  refusal(this: void): StorageTrouble | undefined
  /** For readiness too, if only caches suffer. */
  warning(): string | undefined
  stop(): void
}

export interface StorageWatchOptions {
  /** The data folder. */
  readonly folder: string
  /** Files in it that must stay in place. */
  readonly files: readonly string[]
  /** Whether nothing but caches lies in it, so that a full disk refuses nothing. */
  readonly holdsCachesOnly: boolean
  readonly clock: Clock
  readonly report: Report<string>
  /** Free space in bytes; default: as the file system reports it. */
  readonly room?: (folder: string) => Promise<number>
}

const LOOK_EVERY_MS = 250
/** A problem that has not been encountered for this long has passed. */
const PASSED_AFTER_MS = 2_000

const CACHES_FULL = 'The disk of the data folder is full: nothing can be cached there'

const REASONS: Readonly<Record<StorageTroubleCode, string>> = {
  'disk-full': 'The disk is full: nothing can be stored',
  'files-gone': 'The data folder was deleted, moved or replaced under this server: nothing is stored any more',
  'read-only': 'The disk or a file of the data folder is read-only: nothing can be stored',
  damaged: 'A file in the data folder is damaged: stop the server and restore the file from a backup',
  'views-damaged': 'The read models are damaged: the next start rebuilds them',
  'storage-failing': 'The disk does not work: a file in the data folder cannot be read or written',
}

/** Observed problems, and when each was last encountered. */
type Seen = Map<StorageTroubleCode, number>

export function createStorageWatch(options: StorageWatchOptions): StorageWatch {
  const { folder, files, holdsCachesOnly, clock, report, room = roomOf } = options
  let known: readonly KnownFile[] = []
  const seen: Seen = new Map()
  let [isFull, areCachesFull] = [false, false]
  let stopped = false

  function begins(code: StorageTroubleCode, line: string): void {
    if (!seen.has(code)) report(line, 'error')
    seen.set(code, clock.monotonic())
  }

  function noteFull(): void {
    if (!holdsCachesOnly) {
      if (isFull) begins('disk-full', `The disk of ${folder} is full: commands are refused until there is room.`)
      return
    }
    if (isFull && !areCachesFull) report(`The disk of ${folder} is full: nothing can be cached there.`, 'warn')
    if (!isFull && areCachesFull) report(`${folder}: ${PASSED['disk-full']}.`, 'info')
    areCachesFull = isFull
  }

  async function look(): Promise<void> {
    const [missed, bytes] = await Promise.all([missedFileLater(known), room(folder).catch(() => Infinity)])
    if (missed !== undefined) begins('files-gone', goneLine(folder, missed))
    isFull = bytes < LEAST_ROOM_BYTES
    noteFull()
    for (const [code, atMs] of seen) {
      const isOver = code === 'files-gone' ? missed === undefined : clock.monotonic() - atMs >= PASSED_AFTER_MS
      if (isOver && seen.delete(code)) report(`${folder}: ${PASSED[code]}.`, 'info')
    }
    if (!stopped) disarm = clock.after(LOOK_EVERY_MS, () => void look())
  }

  let disarm = (): void => {}
  return {
    begin() {
      known = knownFiles(files)
      void look()
    },
    noticed: (trouble) => begins(trouble.code, `${trouble.message}.`),
    reason: () => [...seen.keys()].map((code) => REASONS[code])[0],
    refusal: () => (isFull && !holdsCachesOnly ? new StorageTrouble('disk-full', folder) : undefined),
    warning: () => (areCachesFull ? CACHES_FULL : undefined),
    stop() {
      stopped = true
      disarm()
    },
  }
}

/** The log, which takes nothing while the disk is full. */
export function refusingWhenFull(log: EventLog, { refusal }: Pick<StorageWatch, 'refusal'>): EventLog {
  return {
    ...log,
    async append(...asked) {
      const trouble = refusal()
      if (trouble) throw trouble
      return log.append(...asked)
    },
  }
}

const PASSED: Readonly<Record<StorageTroubleCode, string>> = {
  'disk-full': 'there is room on the disk again',
  'files-gone': 'the files are back, and commands are accepted again',
  'read-only': 'no read-only file has been found for a while',
  damaged: 'no damage has been found for a while, but the file is damaged still',
  'views-damaged': 'no damage has been found in the read models for a while',
  'storage-failing': 'the disk works again',
}

const goneLine = (folder: string, missed: string): string =>
  `The data folder ${folder} was deleted, moved or replaced under this server (${missed} is not the file that it has open). ` +
  'Nothing is stored any more: put the folder back, or restart this server.'

const roomOf = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
