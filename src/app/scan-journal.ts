/** Scan journal: counts, errors and progress of one scan, written to its stream at each phase, and now and then in between. */
import type { ScanCounts, ScanError, ScanPhase } from '../events/catalogue.ts'
import type { LibraryId, ScanId } from '../events/id.ts'
import { scanStream } from '../events/streams.ts'
import { recordScan, scan } from '../domain/scan.ts'
import type { Clock } from '../ports/clock.ts'
import type { Author, Commander } from './commander.ts'

export interface ScanJournal {
  readonly author: Author
  start(): Promise<void>
  count(what: keyof Omit<ScanCounts, 'errors'>, by?: number): void
  /** A file that cannot be taken in, with the reason for a person. */
  error(file: string, message: string): void
  phase(phase: ScanPhase, total?: number): Promise<void>
  /** One more file of the phase is done. */
  step(current: string): Promise<void>
  complete(): Promise<void>
  fail(reason: 'root_unavailable' | 'io_error' | 'internal'): Promise<void>
}

export interface JournalDependencies {
  readonly clock: Clock
  readonly commander: Commander
  readonly node: string
}

const ERRORS_MAX = 1000
/** Progress is written after so many files or so much time, whichever comes first. */
const STEP_FILES = 500
const STEP_MS = 1000

export function createScanJournal(deps: JournalDependencies, key: { readonly libraryId: LibraryId; readonly scanId: ScanId }): ScanJournal {
  const { clock, commander, node } = deps
  const author: Author = { actor: 'system', command: 'scan', causation: key.scanId }
  const counts = { seen: 0, added: 0, updated: 0, moved: 0, missing: 0, restored: 0, unchanged: 0, ignored: 0, errors: 0 }
  const errors: ScanError[] = []
  let progress = { phase: 'walking' as ScanPhase, done: 0, total: 0, current: null as string | null }
  let written = { done: 0, atMs: clock.monotonic() }

  async function record(event: Parameters<typeof recordScan>[0]): Promise<void> {
    await commander.execute({ stream: scanStream(key.libraryId), decider: scan }, recordScan(event), author)
  }

  async function write(): Promise<void> {
    written = { done: progress.done, atMs: clock.monotonic() }
    await record({ type: 'ScanProgressed', data: { ...key, ...progress, counts: { ...counts } } })
  }

  return {
    author,
    start: () => record({ type: 'ScanStarted', data: { ...key, node } }),
    count(what, by = 1) {
      counts[what] += by
    },
    error(file, message) {
      counts.errors++
      if (errors.length < ERRORS_MAX) errors.push({ file, message })
    },
    async phase(phase, total = progress.total) {
      progress = { phase, done: phase === 'probing' ? 0 : progress.done, total, current: null }
      await write()
    },
    async step(current) {
      progress = { ...progress, done: progress.done + 1, current }
      if (progress.done - written.done >= STEP_FILES || clock.monotonic() - written.atMs >= STEP_MS) await write()
    },
    complete: () => record({ type: 'ScanCompleted', data: { ...key, counts, errors } }),
    fail: (reason) => record({ type: 'ScanFailed', data: { ...key, counts, errors, reason } }),
  }
}
