/** Scans as callers see them: start one, look at one. The work itself is in `scan-runner.ts`. */
import type { ScanMode, ScanTrigger } from '../events/catalogue.ts'
import type { LibraryId, ScanId, UserId } from '../events/id.ts'
import { scanStream } from '../events/streams.ts'
import type { LibraryDocument } from '../../projections/libraries.ts'
import type { ScanDocument } from '../../projections/scans.ts'
import { isWithin } from '../domain/library.ts'
import { isRefusal, refuse, type Refusal } from '../domain/refusal.ts'
import { interruptScan, requestScan, scan } from '../domain/scan.ts'
import type { Ids } from '../ports/ids.ts'
import type { Leases } from '../ports/leases.ts'
import type { Access } from './access.ts'
import type { Caller, RequestOrigin } from './caller.ts'
import { byUser, type Author, type Commander } from './commander.ts'
import type { Documents } from './documents.ts'
import type { Freshness } from './freshness.ts'

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

/** Starting scans without a caller: the start of the server, the command line. */
export interface ScanControl {
  /** Answers when the scan is requested; it runs on by itself. */
  request(
    libraryId: LibraryId,
    request: ScanRequest & { readonly trigger: ScanTrigger; readonly startedBy: UserId | null },
    author: Author,
  ): Promise<ScanId | Refusal>
  /** Writes down the end of scans whose program is gone. */
  recover(): Promise<void>
}

export interface ScansDependencies {
  readonly access: Access
  readonly commander: Commander
  readonly documents: Documents
  readonly freshness: Freshness
  readonly ids: Ids
  readonly leases: Leases
  /** Runs a requested scan to its end (scan-runner.ts); never throws. */
  readonly run: (library: LibraryDocument, scanId: ScanId, request: ScanRequest) => void
}

const NO_LIBRARY = refuse('not-found', 'There is no such library')
const NO_SCAN = refuse('not-found', 'There is no such scan')

export const scanLease = (libraryId: LibraryId) => `scan.${libraryId}`

export function createScans({ access, commander, documents, freshness, ids, leases, run }: ScansDependencies): Scans & ScanControl {
  const target = (libraryId: LibraryId) => ({ stream: scanStream(libraryId), decider: scan })

  async function request(...[libraryId, asked, author]: Parameters<ScanControl['request']>): Promise<ScanId | Refusal> {
    const library = access.libraries.get(libraryId)
    if (!library) return NO_LIBRARY
    const scanId = ids.next<'scan'>()
    const outcome = await commander.execute(target(libraryId), requestScan({ scanId, libraryId, ...asked }), author)
    if (isRefusal(outcome)) return outcome
    await freshness.reach(outcome.position)
    run(library, scanId, asked)
    return scanId
  }

  return {
    request,

    async start(caller, id, asked, origin) {
      const library = access.library(caller, id)
      if (!library) return NO_LIBRARY
      const outside = asked.paths?.findIndex((path) => !library.roots.some((root) => isWithin(path, root.path))) ?? -1
      if (outside >= 0) return refuse('invalid', 'This is no folder of the library', { path: `paths.${outside}` })
      const by = { ...asked, trigger: 'manual', startedBy: caller.userId } as const
      const scanId = await request(library.id, by, byUser(caller.userId, 'requestScan', origin))
      return isRefusal(scanId) ? scanId : ((await documents.scans.get(scanId)) ?? NO_SCAN)
    },

    async current(caller, id) {
      const library = access.library(caller, id)
      if (!library) return NO_LIBRARY
      const where = [{ field: 'libraryId', op: 'eq', value: library.id }] as const
      const { items } = await documents.scans.find({ where, sort: { field: 'startedAt', direction: 'desc' }, limit: 1 })
      return items[0] ?? NO_SCAN
    },

    async get(caller, id, scanId) {
      const library = access.library(caller, id)
      if (!library) return NO_LIBRARY
      const document = await documents.scans.get(scanId)
      return document?.libraryId === library.id ? document : NO_SCAN
    },

    async recover() {
      for (const library of access.libraries.values()) {
        if (await leases.held(scanLease(library.id))) continue
        await commander.execute(target(library.id), interruptScan, { actor: 'system', command: 'interruptScan' })
      }
    },
  }
}
