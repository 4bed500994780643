/**
 * Runs requested scans on this node, each under the lease `scan.<library>`, until a scan finishes or is cancelled from any node.
 */
import type { LibraryId, ScanId } from '../../vocabulary/id.ts'
import type { LibraryDocument } from '../../../projections/views/libraries.ts'
import type { Bus } from '../../ports/bus.ts'
import type { Lease, LeaseTtlSeconds, Leases } from '../../ports/leases.ts'
import { createAwayReports } from './away-reports.ts'
import { createMediaIndexPrefetch } from './media-index-prefetch.ts'
import { createScanJournal, ScanEnded } from './scan-journal.ts'
import { scanLibrary } from './scan-library.ts'
import { createScanRun, type ScanRunDependencies } from './scan-run.ts'
import { scanLease, SCAN_ENDED_SUBJECT, type ScanRequest } from './scans.ts'
import type { Report } from '../../ports/report.ts'

export interface ScanRunnerDependencies extends Omit<ScanRunDependencies, 'wantIndex' | 'awayReports'> {
  readonly bus: Bus
  readonly leases: Leases
  readonly node: string
  readonly onError: Report
}

const LEASE_SECONDS: LeaseTtlSeconds = 15
/** A scan that was cancelled or taken over releases its lease once its current file is done. */
const LEASE_PATIENCE_MS = 60_000
const LEASE_RETRY_MS = 50

export function createScanRunner(deps: ScanRunnerDependencies) {
  const { bus, clock, leases } = deps
  const stopping = new AbortController()
  const awayReports = createAwayReports(deps.onError)
  const indexes = createMediaIndexPrefetch({ media: deps.media })
  const running = new Map<ScanId, { readonly ended: AbortController; readonly task: Promise<void> }>()
  // A node that ends a scan announces it. If the message is lost, the scan notices at its next append.
  const subscription = bus.subscribe(SCAN_ENDED_SUBJECT, ({ head }) => {
    for (const [scanId, { ended }] of running) if (scanId === head['scanId']) ended.abort(new ScanEnded())
  })

  async function acquire(libraryId: LibraryId, signal: AbortSignal): Promise<Lease | undefined> {
    const until = clock.monotonic() + LEASE_PATIENCE_MS
    while (clock.monotonic() < until) {
      const lease = await leases.acquire(scanLease(libraryId), LEASE_SECONDS)
      if (lease) return lease
      await clock.sleep(LEASE_RETRY_MS, signal)
    }
    return undefined
  }

  async function run(library: LibraryDocument, scanId: ScanId, request: ScanRequest, ended: AbortSignal): Promise<void> {
    const asked = AbortSignal.any([stopping.signal, ended])
    const lease = await acquire(library.id, asked)
    if (!lease) return
    const signal = AbortSignal.any([asked, lease.lost])
    const journal = createScanJournal(deps, { libraryId: library.id, scanId })
    const release = indexes.hold()
    try {
      await scanLibrary(
        createScanRun({ deps: { ...deps, wantIndex: indexes.want, awayReports }, library, scanId, request, journal, signal }),
      )
    } catch (cause) {
      // A scan interrupted by a server stop is found, and marked as interrupted, at the next start.
      if (signal.aborted || cause instanceof ScanEnded) return
      deps.onError(cause)
      await journal.fail('internal')
    } finally {
      release()
      await lease.release()
    }
  }

  return {
    /** Starts a requested scan without waiting for it. */
    run(library: LibraryDocument, scanId: ScanId, request: ScanRequest): void {
      const ended = new AbortController()
      const task = run(library, scanId, request, ended.signal)
        .catch((cause: unknown) => {
          if (!stopping.signal.aborted && !ended.signal.aborted && !(cause instanceof ScanEnded)) deps.onError(cause)
        })
        .finally(() => running.delete(scanId))
      running.set(scanId, { ended, task })
    },
    /** Stops running scans. */
    async close(): Promise<void> {
      stopping.abort(new Error('The server is stopping'))
      subscription.close()
      await Promise.all([...running.values()].map(({ task }) => task))
      await indexes.close()
    },
  }
}
