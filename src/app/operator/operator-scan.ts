/** Runs a scan for the command line: requests it, follows it to its end, and cancels it if the command is aborted. */
import type { LibraryId, ScanId } from '../../vocabulary/id.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Access } from '../access/access.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { ScanStep, ScanSummary } from './operator-commands.ts'
import type { ScanControl } from '../scans/scans.ts'

export interface OperatorScanDependencies {
  readonly access: Access
  readonly clock: Clock
  readonly readModels: ReadModels
  readonly readYourWrites: ReadYourWrites
  readonly scans: ScanControl
}

const AUTHOR = { actor: 'cli', command: 'scan' } as const
const LOOK_EVERY_MS = 250

export async function followScan(
  deps: OperatorScanDependencies,
  libraryId: LibraryId,
  { step, signal }: { readonly step: (step: ScanStep) => void; readonly signal: AbortSignal },
): Promise<ScanSummary | Refusal> {
  const { clock, readModels, scans } = deps
  const whole = { mode: 'incremental', paths: null, trigger: 'manual', startedBy: null } as const
  const scanId = await scans.request(libraryId, whole, AUTHOR)
  if (isRefusal(scanId)) return scanId
  for (;;) {
    const scan = await readModels.scans.get(scanId)
    if (!scan) return refuse('not-found', 'The scan is gone')
    const { state, done, total, counts, errors, error } = scan
    step({ state, done, total: total || null })
    if (scan.finishedAt !== null) return { state, counts, errors, error }
    if (signal.aborted) await cancel(deps, libraryId, scanId)
    else await clock.sleep(LOOK_EVERY_MS, signal).catch(() => {})
  }
}

/** Cancels only this scan, not one that was requested since. */
async function cancel(
  { access, clock, readYourWrites, scans }: OperatorScanDependencies,
  libraryId: LibraryId,
  scanId: ScanId,
): Promise<void> {
  if (access.libraries.get(libraryId)?.scanId !== scanId) return clock.sleep(LOOK_EVERY_MS)
  const cancelled = await scans.end(libraryId, 'asked', { ...AUTHOR, command: 'cancelScan' })
  if (!isRefusal(cancelled)) await readYourWrites.waitFor(cancelled.position)
}
