/** Starts scheduled scans of libraries that want them, and ends scans whose process is gone. */
import { CLOCK_SKEW_MS } from '../tasks/clock-skew.ts'
import type { LibraryDocument } from '../../../projections/views/libraries.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Access } from '../access/access.ts'
import type { ScanControl } from './scans.ts'
import type { Report } from '../../ports/report.ts'

export interface ScanScheduleDependencies {
  readonly access: Pick<Access, 'libraries'>
  readonly clock: Clock
  readonly scans: Pick<ScanControl, 'request' | 'recover'>
  readonly onError: Report
}

const LOOK_MS = 10_000
const MINUTE_MS = 60_000
const AUTHOR = { actor: 'system', command: 'scheduleScan' } as const

/** Requests due scans until the signal. Runs under a lease, so that one of several nodes does it. */
export async function scheduleScans({ access, clock, scans, onError }: ScanScheduleDependencies, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const library of [...access.libraries.values()].filter((one) => isDue(one, clock.now()))) {
      const request = { mode: 'incremental', paths: null, trigger: 'schedule', startedBy: null } as const
      await scans.request(library.id, request, AUTHOR).catch((cause: unknown) => onError(cause, 'warn'))
    }
    await clock.sleep(LOOK_MS, signal).catch(() => {})
  }
}

/**
 * The interval counts from the last complete scan or, if there was none, from the library's creation or last change of settings. If that time
 * is ahead, nobody knows how long ago it was.
 */
function isDue({ scanning, settings, updatedAt, wholeScanAt }: LibraryDocument, nowMs: number): boolean {
  const { scanIntervalMinutes } = settings
  if (scanIntervalMinutes === 0 || scanning) return false
  const sinceMs = nowMs - Date.parse(wholeScanAt ?? updatedAt)
  return sinceMs >= scanIntervalMinutes * MINUTE_MS || sinceMs < -CLOCK_SKEW_MS
}

/** Notices, on every node, scans whose node is gone. */
export async function recoverScans({ clock, scans, onError }: ScanScheduleDependencies, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(LOOK_MS, signal).catch(() => {})
    if (!signal.aborted) await scans.recover().catch((cause: unknown) => onError(cause, 'warn'))
  }
}
