/** Records counts, errors and progress of one scan in its stream: at each phase, and from time to time within a phase. */
import type { RootDevice, ScanCounts, ScanError, ScanPhase } from '../../events/library-events.ts'
import type { LibraryId, ScanId } from '../../vocabulary/id.ts'
import type { Position } from '../../events/position.ts'
import { scanStream } from '../../events/streams.ts'
import { isRefusal } from '../../domain/refusal.ts'
import { recordScan, scan } from '../../domain/scans/scan.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Author, CommandHandler } from '../commands/command-handler.ts'

export interface ScanJournal {
  readonly author: Author
  /** Every method throws ScanEnded if the scan was ended from outside. */
  /** Returns the position at which the log records its start. */
  start(): Promise<Position>
  count(what: keyof Omit<ScanCounts, 'errors'>, by?: number): void
  /** Records a file that cannot be added, with a reason for people. */
  error(file: string, message: string): void
  /** A total restarts the count of a phase, at `done`. */
  phase(phase: ScanPhase, progress?: { readonly total: number; readonly done?: number }): Promise<void>
  /** Adds finished files of the phase; without a number, one is being read. */
  step(current: string, files?: number): Promise<void>
  complete(devices: readonly RootDevice[]): Promise<void>
  fail(reason: 'root_unavailable' | 'io_error' | 'internal'): Promise<void>
}

export interface JournalDependencies {
  readonly clock: Clock
  readonly commandHandler: CommandHandler
  readonly node: string
}

/** The scan was cancelled, or another node considered this one dead. */
export class ScanEnded extends Error {
  readonly code = 'scan-ended'
  constructor() {
    super('This scan has ended')
    this.name = 'ScanEnded'
  }
}

const ERRORS_MAX = 1000
/** The end of a scan is one append, so its errors must stay well below the log's limit. */
const ERROR_CHARACTERS_MAX = 200_000
/** Progress is written after this many files or this much time, whichever comes first. */
const STEP_FILES = 500
const STEP_MS = 1000

export function createScanJournal(deps: JournalDependencies, key: { readonly libraryId: LibraryId; readonly scanId: ScanId }): ScanJournal {
  const { clock, commandHandler, node } = deps
  const author: Author = { actor: 'system', command: 'scan', causation: key.scanId }
  const counts = { seen: 0, added: 0, updated: 0, moved: 0, missing: 0, restored: 0, unchanged: 0, ignored: 0, errors: 0 }
  const errors: ScanError[] = []
  let errorCharacters = 0
  let progress = { phase: 'walking' as ScanPhase, done: 0, total: 0, current: null as string | null }
  let written = { done: 0, atMs: clock.monotonic() }
  let writing = false

  async function record(event: Parameters<typeof recordScan>[0]): Promise<Position> {
    const result = await commandHandler.execute({ stream: scanStream(key.libraryId), decider: scan }, recordScan(event), author)
    if (isRefusal(result)) throw new ScanEnded()
    return result.position
  }

  async function write(): Promise<void> {
    written = { done: progress.done, atMs: clock.monotonic() }
    writing = true
    try {
      await record({ type: 'ScanProgressed', data: { ...key, ...progress, counts: { ...counts } } })
    } finally {
      writing = false
    }
  }

  return {
    author,
    start: () => record({ type: 'ScanStarted', data: { ...key, node } }),
    count(what, by = 1) {
      counts[what] += by
    },
    error(file, message) {
      counts.errors++
      errorCharacters += file.length + message.length
      if (errors.length < ERRORS_MAX && errorCharacters <= ERROR_CHARACTERS_MAX) errors.push({ file, message })
    },
    async phase(phase, { total, done = 0 } = { total: progress.total, done: progress.done }) {
      progress = { phase, done, total, current: null }
      await write()
    },
    async step(current, files = 1) {
      progress = { ...progress, done: progress.done + files, current }
      const due = progress.done - written.done >= STEP_FILES || clock.monotonic() - written.atMs >= STEP_MS
      if (due && !writing) await write()
    },
    complete: async (devices) => void (await record({ type: 'ScanCompleted', data: { ...key, counts, errors, devices } })),
    fail: async (reason) => void (await record({ type: 'ScanFailed', data: { ...key, counts, errors, reason } })),
  }
}
