/** Lets callers start, cancel and read scans. `scan-runner.ts` does the work. */
import type { ScanCancelReason, ScanMode, ScanTrigger } from '../../events/library-events.ts'
import type { LibraryId, ScanId, UserId } from '../../vocabulary/id.ts'
import { scanStream } from '../../events/streams.ts'
import type { LibraryDocument } from '../../../projections/views/libraries.ts'
import type { ScanDocument } from '../../../projections/views/scans.ts'
import { isWithin, normalizePath } from '../../domain/libraries/library.ts'
import { isRefusal, refuse, refuseAll, type Refusal } from '../../domain/refusal.ts'
import { cancelScan, interruptScan, requestScan, scan } from '../../domain/scans/scan.ts'
import type { Bus } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Leases } from '../../ports/leases.ts'
import type { Access } from '../access/access.ts'
import type { Caller, RequestOrigin } from '../access/caller.ts'
import { byUser, type Author, type CommandHandler, type CommandResult } from '../commands/command-handler.ts'
import { findPage, type ReadModels } from '../read-models/read-models.ts'
import { ViewsBehind, type ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { ListPage, PageRequest } from '../read-models/page.ts'
import { listChanges, type ChangeReader, type ScanChange } from './scan-changes.ts'
import { newId } from '../commands/new-id.ts'
import { NO_SUCH_LIBRARY } from '../../domain/libraries/refusals.ts'

export interface ScanRequest {
  readonly mode: ScanMode
  /** Absolute folders below a root of the library; null: the whole library. */
  readonly paths: readonly string[] | null
}

export interface Scans {
  /** Admins only (checked by the route). Refusals: `not-found`, `conflict` (one is running), `invalid` (`paths.<n>`). */
  start(caller: Caller, libraryId: string, request: ScanRequest, origin: RequestOrigin): Promise<ScanDocument | Refusal>
  /** Admins only. `not-found` if none is running. */
  cancel(caller: Caller, libraryId: string, origin: RequestOrigin): Promise<ScanDocument | Refusal>
  /** The running scan, else the last one; `not-found` if there never was one. */
  current(caller: Caller, libraryId: string): Promise<ScanDocument | Refusal>
  get(caller: Caller, libraryId: string, scanId: string): Promise<ScanDocument | Refusal>
  /** Newest first. */
  list(caller: Caller, libraryId: string, page: PageRequest): Promise<ListPage<ScanDocument> | Refusal>
  /** Changes by a scan so far, in order. */
  changes(
    caller: Caller,
    ids: { readonly libraryId: string; readonly scanId: string },
    page: PageRequest,
  ): Promise<ListPage<ScanChange> | Refusal>
}

/** Starts and ends scans without a caller: for the server itself and the command line. */
export interface ScanControl {
  /** Settles when the scan is requested, not when it ends. */
  request(
    libraryId: LibraryId,
    request: ScanRequest & { readonly trigger: ScanTrigger; readonly startedBy: UserId | null },
    author: Author,
  ): Promise<ScanId | Refusal>
  /** Ends the running scan of a library; `not-found` if none is running. */
  end(libraryId: LibraryId, reason: ScanCancelReason, author: Author): Promise<CommandResult<unknown> | Refusal>
  /** Records the end of scans whose process is gone. */
  recover(): Promise<void>
}

export interface ScansDependencies {
  readonly access: Access
  readonly bus: Bus
  readonly clock: Clock
  readonly commandHandler: CommandHandler
  readonly readModels: ReadModels
  readonly readYourWrites: ReadYourWrites
  readonly ids: Ids
  readonly leases: Leases
  readonly log: ChangeReader['log']
  /** Runs a requested scan to its end (scan-runner.ts); never throws. */
  readonly run: (library: LibraryDocument, scanId: ScanId, request: ScanRequest) => void
}

const NO_SCAN = refuse('not-found', 'There is no such scan')
/** Delay of a second look: between its request and its lease, a scan briefly has none. */
const SECOND_LOOK_MS = 250

export const scanLease = (libraryId: LibraryId) => `scan.${libraryId}`
/** Announces that a scan was ended from outside; the head has its id. */
export const SCAN_ENDED_SUBJECT = 'scan.ended'

interface State extends ScansDependencies {
  readonly control: ScanControl
}

export function createScans(deps: ScansDependencies): Scans & ScanControl {
  const { access, commandHandler, readModels } = deps

  const control: ScanControl = {
    request: (libraryId, asked, author) => request(state, libraryId, asked, author),

    async end(libraryId, reason, author) {
      const result = await commandHandler.execute(target(libraryId), cancelScan(reason), author)
      if (isRefusal(result)) return result
      announceEnds(state, result)
      return result
    },
    recover: () => recover(state),
  }
  const state: State = { ...deps, control }
  const newestFirst = { field: 'startedAt', direction: 'desc' } as const

  return {
    ...control,
    get: (caller, id, scanId) => scanOf(state, caller, id, scanId),

    async start(caller, id, asked, origin) {
      const library = access.library(caller, id)
      if (!library) return NO_SUCH_LIBRARY
      const fault = outsideFault(asked.paths ?? [], library.roots)
      if (fault) return fault
      const by = { ...asked, trigger: 'manual', startedBy: caller.userId } as const
      const scanId = await control.request(library.id, by, byUser(caller.userId, 'requestScan', origin))
      return isRefusal(scanId) ? scanId : ((await readModels.scans.get(scanId)) ?? NO_SCAN)
    },
    cancel: (caller, id, origin) => cancel(state, caller, id, origin),

    async current(caller, id) {
      const library = access.library(caller, id)
      if (!library) return NO_SUCH_LIBRARY
      const { items } = await readModels.scans.find({ where: where(library.id), sort: newestFirst, limit: 1 })
      return items[0] ? asSeen(state, items[0]) : NO_SCAN
    },

    async list(caller, id, page) {
      const library = access.library(caller, id)
      if (!library) return NO_SUCH_LIBRARY
      const found = await findPage(readModels.scans, { where: where(library.id), sort: newestFirst }, page)
      return { ...found, items: await Promise.all(found.items.map((scan) => asSeen(state, scan))) }
    },

    async changes(caller, { libraryId, scanId }, page) {
      const document = await scanOf(state, caller, libraryId, scanId)
      return isRefusal(document) ? document : listChanges(deps, document, page)
    },
  }
}

const target = (libraryId: LibraryId) => ({ stream: scanStream(libraryId), decider: scan })

function announceEnds({ bus }: State, { events }: CommandResult<unknown>): void {
  for (const event of events) if (event.type === 'ScanCancelled') bus.publish(SCAN_ENDED_SUBJECT, { head: { scanId: event.data.scanId } })
}

const where = (id: LibraryId) => [{ field: 'libraryId', op: 'eq', value: id }] as const

/** Reports a scan as ended only when this node shows its results: this node's views may lag behind the scan's own node. */
async function asSeen({ readYourWrites }: State, scan: ScanDocument): Promise<ScanDocument> {
  if (scan.to === null || scan.to <= readYourWrites.least()) return scan
  try {
    await readYourWrites.waitFor(scan.to)
    return scan
  } catch (cause) {
    if (!(cause instanceof ViewsBehind)) throw cause
    return { ...scan, state: 'settling', finishedAt: null, to: null }
  }
}

async function scanOf(state: State, caller: Caller, id: string, scanId: string): Promise<ScanDocument | Refusal> {
  const { access, readModels } = state
  const library = access.library(caller, id)
  if (!library) return NO_SUCH_LIBRARY
  const document = await readModels.scans.get(scanId)
  return document?.libraryId === library.id ? asSeen(state, document) : NO_SCAN
}

async function cancel(
  { access, control, readYourWrites, readModels }: State,
  caller: Caller,
  id: string,
  origin: RequestOrigin,
): Promise<ScanDocument | Refusal> {
  const library = access.library(caller, id)
  if (!library) return NO_SUCH_LIBRARY
  const result = await control.end(library.id, 'asked', byUser(caller.userId, 'cancelScan', origin))
  if (isRefusal(result)) return result
  await readYourWrites.waitFor(result.position)
  const [ended] = result.events
  return (ended?.type === 'ScanCancelled' && (await readModels.scans.get(ended.data.scanId))) || NO_SCAN
}

function outsideFault(paths: readonly string[], roots: LibraryDocument['roots']): Refusal | undefined {
  const isInside = (path: string) => roots.some((root) => isWithin(path, root.path))
  const message = 'This is not a folder of the library'
  return refuseAll(paths.flatMap((path, index) => (isInside(path) ? [] : [{ path: `paths.${index}`, message }])))
}

async function request(
  state: State,
  libraryId: LibraryId,
  asked: ScanRequest & { readonly trigger: ScanTrigger; readonly startedBy: UserId | null },
  author: Author,
): Promise<ScanId | Refusal> {
  const { access, ids, commandHandler, readYourWrites } = state
  const library = access.libraries.get(libraryId)
  if (!library) return NO_SUCH_LIBRARY
  const scanId = newId('scan', ids, author.origin)
  const request = { ...asked, paths: asked.paths?.map(normalizePath) ?? null }
  const result = await commandHandler.execute(target(libraryId), requestScan({ scanId, libraryId, ...request }), author)
  if (isRefusal(result)) return result
  announceEnds(state, result)
  // Without events this is a retry of the request that started the scan.
  if (result.events.length > 0) state.run(library, scanId, request)
  await readYourWrites.waitFor(result.position)
  return scanId
}

async function recover(state: State): Promise<void> {
  const alone = await withoutLease(state)
  if (alone.length === 0) return
  await state.clock.sleep(SECOND_LOOK_MS)
  const still = new Set((await withoutLease(state)).map(({ scanId }) => scanId))
  for (const { id, scanId } of alone.filter((library) => still.has(library.scanId))) {
    if (scanId) await state.commandHandler.execute(target(id), interruptScan(scanId), { actor: 'system', command: 'interruptScan' })
  }
}

/** Libraries whose scan apparently runs nowhere. */
async function withoutLease({ access, leases }: Pick<ScansDependencies, 'access' | 'leases'>): Promise<readonly LibraryDocument[]> {
  const found: LibraryDocument[] = []
  for (const library of access.libraries.values()) {
    if (library.scanning && !(await leases.held(scanLease(library.id)))) found.push(library)
  }
  return found
}
