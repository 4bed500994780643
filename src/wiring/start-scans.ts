/** Prints the progress of the scans that began at the start, and their results. */
import type { ScanDocument } from '../../projections/views/scans.ts'
import { counted, printable } from '../process/columns.ts'
import type { Clock } from '../ports/clock.ts'
import type { LibraryId, ScanId } from '../vocabulary/id.ts'
import type { Services } from './services.ts'

export interface StartScan {
  readonly libraryId: LibraryId
  readonly scanId: ScanId
}

export interface ReportOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Prints one line. */
  readonly print: (line: string) => void
}

type Needed = Pick<Services, 'access' | 'readModels' | 'libraries'>

const LOOK_EVERY_MS = 500
const REPORT_EVERY_MS = 5000
const ERRORS_SHOWN = 5

/** Settles when the scan has ended, or its library is gone. @throws the read models' errors, and the signal's reason */
export async function reportScan(
  services: Needed,
  { libraryId, scanId }: StartScan,
  { clock, signal, print }: ReportOptions,
): Promise<void> {
  let reportedAtMs = clock.monotonic()
  for (;;) {
    signal.throwIfAborted()
    const [scan, library] = [await services.readModels.scans.get(scanId), services.access.libraries.get(libraryId)]
    if (!scan || !library) return
    if (scan.finishedAt !== null) {
      const { movieCount } = await services.libraries.count(library)
      for (const line of endLines(library.name, movieCount, scan)) print(printable(line))
      return
    }
    if (clock.monotonic() - reportedAtMs >= REPORT_EVERY_MS) {
      reportedAtMs = clock.monotonic()
      print(printable(progressLine(library.name, scan)))
    }
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
}

function progressLine(name: string, { done, total, counts }: ScanDocument): string {
  const files = total > 0 ? `${done} of ${counted(total, 'file')}` : 'looking for files'
  return `Scanning library ${name}: ${files}${counts.errors > 0 ? `, ${counted(counts.errors, 'problem')}` : ''}.`
}

function endLines(name: string, movieCount: number, { state, counts, errors, error }: ScanDocument): readonly string[] {
  const result = `${counted(movieCount, 'film')}, ${counted(counts.errors, 'problem')}`
  const head =
    state === 'completed'
      ? `Scanned library ${name}: ${result}.`
      : `The scan of library ${name} ${state === 'failed' ? `failed (${error ?? 'unknown'})` : `was ${state}`}: ${result} so far.`
  const shown = errors.slice(0, ERRORS_SHOWN).map(({ file, message }) => `  ${file}: ${message}`)
  const more = counts.errors - shown.length
  return more > 0 && shown.length > 0 ? [head, ...shown, `  and ${more} more`] : [head, ...shown]
}
