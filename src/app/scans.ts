/** Scans as callers see them: start one, look at one. The work itself is in `scan-runner.ts`. */
import type { ScanMode } from '../events/catalogue.ts'
import type { ScanDocument } from '../../projections/scans.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Caller, RequestOrigin } from './caller.ts'

export interface ScanRequest {
  readonly mode: ScanMode
  /** Absolute folders below a root of the library; null: all of it. */
  readonly paths: readonly string[] | null
}

export interface Scans {
  /** Admins only (checked by the route). Refusals: `not-found`, `conflict` (one is running), `invalid` (`paths.<n>`). */
  start(caller: Caller, libraryId: string, request: ScanRequest, origin: RequestOrigin): Promise<ScanDocument | Refusal>
  /** The running scan, else the last one; `not-found` when there never was one. */
  current(caller: Caller, libraryId: string): Promise<ScanDocument | Refusal>
  get(caller: Caller, libraryId: string, scanId: string): Promise<ScanDocument | Refusal>
}
