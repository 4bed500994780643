/** Films for tasks in the background that read them one after the other: which ones, and when the disk is theirs. */
import { decode } from '../events/codec.ts'
import type { RecordedEvent } from '../events/recorded.ts'
import type { FileDocument } from '../../projections/files.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { Access } from './access.ts'
import type { Documents } from './documents.ts'
import type { Freshness } from './freshness.ts'
import { reached } from './reached.ts'

export interface BackgroundFilms {
  readonly access: Pick<Access, 'libraries'>
  readonly documents: Pick<Documents, 'files'>
  readonly freshness: Pick<Freshness, 'reach'>
  readonly log: Pick<EventLog, 'follow' | 'head'>
}

export type ReadableFile = FileDocument & { readonly media: NonNullable<FileDocument['media']> }

export const isReadable = (file: FileDocument | undefined): file is ReadableFile =>
  file !== undefined && file.media !== null && !file.missing

export interface FilmRounds {
  /** Goes through all that are known. */
  readonly round: () => Promise<void>
  /** `isNew`: a scan has just read it; else it has found it again. */
  readonly one: (file: FileDocument | undefined, isNew: boolean) => Promise<void>
  /** Whether there is to be a round now, besides those after events that may bring many films at once. */
  readonly isDue?: (event: RecordedEvent) => boolean
}

const SCAN_PAUSE_MS = 5_000

/** A round at first; then, as it happens, each film that comes, or another round. Runs until the signal. @throws the signal's reason */
export async function followFilms(
  { documents, freshness, log }: Omit<BackgroundFilms, 'access'>,
  { round, one, isDue = () => false }: FilmRounds,
  signal: AbortSignal,
): Promise<void> {
  const from = await log.head()
  // What the views do not hold yet would be passed over until the next round.
  await reached(freshness, from, signal)
  await round()
  for await (const batch of log.follow(from, signal)) {
    for (const event of batch.map(decode)) {
      if (event?.type === 'MovieProbed' || event?.type === 'MovieFileReturned') {
        await reached(freshness, event.position, signal)
        await one(await documents.files.get(event.data.fileId), event.type === 'MovieProbed')
      } else if (event && (bringsMany(event) || isDue(event))) {
        await reached(freshness, event.position, signal)
        await round()
      }
    }
  }
}

/** What could not be read while its drive was away, and what was of no library. */
const bringsMany = ({ type }: RecordedEvent): boolean => type === 'LibraryCameOnline' || type === 'LibraryRestored'

/** Takes each film that can be read, in all libraries. What was not done when the server stopped comes again at the next start. */
export async function takeFilms(deps: BackgroundFilms, take: (file: ReadableFile) => Promise<void>, signal: AbortSignal): Promise<void> {
  const { access, documents } = deps
  async function one(file: FileDocument | undefined): Promise<void> {
    signal.throwIfAborted()
    if (isReadable(file) && access.libraries.has(file.libraryId)) await take(file)
  }
  async function round(): Promise<void> {
    for await (const file of documents.files.walk({ where: [] })) await one(file)
  }
  await followFilms(deps, { one, round }, signal)
}

/** A scan needs the disk. */
export async function untilNoScan(
  { access, clock }: { readonly access: Pick<Access, 'libraries'>; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  while ([...access.libraries.values()].some(({ scanning }) => scanning)) await clock.sleep(SCAN_PAUSE_MS, signal)
}
