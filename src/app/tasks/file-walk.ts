/** Feeds films to background tasks that read them one at a time, and waits while scans need the disk. */
import { decodeKnown } from '../../events/codec.ts'
import type { LibraryId } from '../../vocabulary/id.ts'
import type { Position } from '../../events/position.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import type { FileDocument } from '../../../projections/views/files.ts'
import { sameStamp } from '../../domain/movies/movie.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { Media } from '../../ports/media.ts'
import type { Access } from '../access/access.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import { waitForViews } from '../consistency/wait-for-views.ts'

export interface BackgroundFiles {
  readonly access: Pick<Access, 'libraries'>
  readonly readModels: Pick<ReadModels, 'files'>
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
  readonly log: Pick<EventLog, 'follow' | 'head'>
  readonly media: Pick<Media, 'stamp'>
}

export type ReadableFile = FileDocument & { readonly media: NonNullable<FileDocument['media']> }

export const isReadable = (file: FileDocument | undefined): file is ReadableFile =>
  file !== undefined && file.media !== null && !file.missing

/** Otherwise its drive is disconnected, or the file is another one that was not scanned yet: not a failure of this film. */
export async function isAsScanned({ media }: Pick<BackgroundFiles, 'media'>, { path, stamp }: FileDocument): Promise<boolean> {
  const now = await media.stamp(path)
  return now !== undefined && sameStamp(now, stamp)
}

export interface FileRounds {
  /** Processes all known films, or those of one library. */
  readonly round: (libraryId?: LibraryId) => Promise<void>
  /** `isNew`: a scan has just read it for the first time; else it has found it again. */
  readonly one: (file: FileDocument | undefined, isNew: boolean) => Promise<void>
  /** Whether an event starts a further round, in addition to events that may add many films at once. */
  readonly isDue?: (event: RecordedEvent) => boolean
}

const SCAN_PAUSE_MS = 5_000

/**
 * Starts with a round; then handles each new film, or another round, as events arrive. Runs until the signal. @throws the signal's reason
 */
export async function followFiles(
  { readModels, readYourWrites, log }: Pick<BackgroundFiles, 'readModels' | 'readYourWrites' | 'log'>,
  { round, one, isDue = () => false }: FileRounds,
  signal: AbortSignal,
): Promise<void> {
  /**
   * Returns the position that the round covers. Waits for the views first, or films that they lack would be missed until the next round.
   */
  async function goThrough(libraryId?: LibraryId): Promise<Position> {
    const covered = await log.head()
    await waitForViews(readYourWrites, covered, signal)
    await round(libraryId)
    return covered
  }
  const from = await goThrough()
  const covered = new Map<LibraryId, Position>()
  for await (const batch of log.follow(from, signal)) {
    for (const event of batch.map(decodeKnown)) {
      const libraryId = event && libraryBack(event)
      if (event?.type === 'MovieProbed' || event?.type === 'MovieFileReturned') {
        await waitForViews(readYourWrites, event.position, signal)
        await one(await readModels.files.get(event.data.fileId), event.type === 'MovieProbed')
      } else if (event && libraryId) {
        // A drive that comes and goes while films are read has produced many such events by now: one round covers those before its start.
        if (event.position > (covered.get(libraryId) ?? from)) covered.set(libraryId, await goThrough(libraryId))
      } else if (event && isDue(event)) await goThrough()
    }
  }
}

/** The library whose films could not be read while their drive was offline, or while the library was removed. */
const libraryBack = (event: RecordedEvent): LibraryId | undefined =>
  event.type === 'LibraryCameOnline' || event.type === 'LibraryRestored' ? event.data.libraryId : undefined

/** Files of one library, or all. */
export function walkFiles({ files }: Pick<ReadModels, 'files'>, libraryId?: LibraryId): AsyncIterable<FileDocument> {
  return files.walk({ where: libraryId === undefined ? [] : [{ field: 'libraryId', op: 'eq', value: libraryId }] })
}

/** A stored result that is made once per content of a film. */
export interface FileTask {
  readonly isKept: (file: ReadableFile) => Promise<boolean>
  /** Settles when the disk is free for it. */
  readonly ready?: () => Promise<void>
  readonly make: (file: ReadableFile) => Promise<unknown>
}

/**
 * Runs the task for each readable film in all libraries. Films that were left over when the server stopped are processed at the next start.
 */
export async function walkFilesForTask(deps: BackgroundFiles, { isKept, ready, make }: FileTask, signal: AbortSignal): Promise<void> {
  const { access, readModels } = deps
  const isWanted = async (file: FileDocument | undefined): Promise<boolean> =>
    isReadable(file) && access.libraries.has(file.libraryId) && !(await isKept(file))

  async function one(found: FileDocument | undefined): Promise<void> {
    signal.throwIfAborted()
    if (!found || !(await isWanted(found))) return
    await ready?.()
    // A round may take hours: the film may have been moved or replaced since it was looked up.
    const file = await readModels.files.get(found.id)
    if (isReadable(file) && (await isWanted(file)) && (await isAsScanned(deps, file))) await make(file)
  }
  async function round(libraryId?: LibraryId): Promise<void> {
    for await (const file of walkFiles(readModels, libraryId)) await one(file)
  }
  await followFiles(deps, { one, round }, signal)
}

/** Waits while a scan uses the disk. */
export async function untilNoScan(
  { access, clock }: { readonly access: Pick<Access, 'libraries'>; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  while ([...access.libraries.values()].some(({ scanning }) => scanning)) await clock.sleep(SCAN_PAUSE_MS, signal)
}
