/** Presents a scan: everybody sees file names, administrators see paths. */
import { actsAsAdmin, type Caller } from '../../app/access/caller.ts'
import type { ScanDocument } from '../../../projections/views/scans.ts'
import type { ScanChange } from '../../app/scans/scan-changes.ts'
import type { ScanBody, ScanChangeBody } from './scan-schemas.ts'
import { baseName, percent } from '../server/values-presenter.ts'

export function presentScan(scan: ScanDocument, caller: Pick<Caller, 'role' | 'scopes'>, nowMs: number): ScanBody {
  const { id, libraryId, mode, trigger, startedBy, state, startedAt, finishedAt, done, total, counts, error } = scan
  const name = actsAsAdmin(caller) ? (path: string) => path : baseName
  return {
    id,
    libraryId,
    mode,
    trigger,
    startedBy,
    state,
    startedAt,
    finishedAt,
    progress: {
      done,
      total,
      percent: state === 'completed' ? 100 : percent(done, total),
      current: scan.current === null ? null : name(scan.current),
      etaSeconds: remainingSeconds(scan, nowMs),
    },
    counts,
    errors: scan.errors.map(({ file, message }) => ({ file: name(file), message })),
    error,
  }
}

/** In a list a scan shows only its first errors. */
const LISTED_ERRORS = 20

export const presentListedScan = (scan: ScanDocument, caller: Caller, nowMs: number): ScanBody =>
  presentScan({ ...scan, errors: scan.errors.slice(0, LISTED_ERRORS) }, caller, nowMs)

export function presentScanChange({ id, path, ...change }: ScanChange, caller: Caller): ScanChangeBody {
  const { at, kind, movieId, title, fileId } = change
  return { seq: id, at, kind, movieId, title, fileId, file: actsAsAdmin(caller) ? path : baseName(path) }
}

/** Estimated from the speed so far; null if there is no basis for an estimate. */
function remainingSeconds({ finishedAt, startedAt, done, total }: ScanDocument, nowMs: number): number | null {
  if (finishedAt !== null || done === 0 || done > total) return null
  const elapsedMs = Math.max(0, nowMs - Date.parse(startedAt))
  return Math.ceil(((elapsedMs / done) * (total - done)) / 1000)
}
