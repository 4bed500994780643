/** Films for tasks in the background that read them one after the other: which ones, and when the disk is theirs. */
import { decode } from '../events/codec.ts'
import type { FileDocument } from '../../projections/files.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { Access } from './access.ts'
import type { Documents } from './documents.ts'
import type { Freshness } from './freshness.ts'
import { reached } from './reached.ts'

export interface BackgroundFilms {
  readonly documents: Pick<Documents, 'files'>
  readonly freshness: Pick<Freshness, 'reach'>
  readonly log: Pick<EventLog, 'follow' | 'head'>
}

export type ReadableFile = FileDocument & { readonly media: NonNullable<FileDocument['media']> }

export const isReadable = (file: FileDocument | undefined): file is ReadableFile =>
  file !== undefined && file.media !== null && !file.missing

const SCAN_PAUSE_MS = 5_000

/**
 * All that are known, then each that a scan has read. What was not done when the server stopped comes again at the next start. Runs
 * until the signal. @throws the signal's reason, and what `take` throws
 */
export async function takeFilms(
  { documents, freshness, log }: BackgroundFilms,
  take: (file: ReadableFile) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const takeIf = async (file: FileDocument | undefined): Promise<void> => {
    signal.throwIfAborted()
    if (isReadable(file)) await take(file)
  }
  const from = await log.head()
  // What the views do not hold yet would be passed over until the next start.
  await reached(freshness, from, signal)
  for await (const file of documents.files.walk({ where: [] })) await takeIf(file)
  for await (const batch of log.follow(from, signal)) {
    for (const event of batch.map(decode)) {
      if (event?.type !== 'MovieProbed') continue
      await reached(freshness, event.position, signal)
      await takeIf(await documents.files.get(event.data.fileId))
    }
  }
}

/** A scan needs the disk. */
export async function untilNoScan(
  { access, clock }: { readonly access: Pick<Access, 'libraries'>; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  while ([...access.libraries.values()].some(({ scanning }) => scanning)) await clock.sleep(SCAN_PAUSE_MS, signal)
}
