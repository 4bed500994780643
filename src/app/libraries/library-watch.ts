/**
 * Watches the roots of all libraries with `watchFiles`: changes on disk are debounced, then exactly the changed folders are scanned. Runs
 * on one node at a time, under a lease. A root that cannot be watched is reported once; scheduled scans still cover it.
 */
import type { LibraryId } from '../../vocabulary/id.ts'
import type { LibraryDocument, LibraryRoot } from '../../../projections/views/libraries.ts'
import { isRefusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Media, RootHealth } from '../../ports/media.ts'
import type { Watcher, Watching } from '../../ports/watcher.ts'
import type { Access } from '../access/access.ts'
import { createChangeDebounce, type ChangeDebounce } from './change-debounce.ts'
import { UNMOUNTED } from '../scans/scan-roots.ts'
import type { ScanControl } from '../scans/scans.ts'
import type { Report } from '../../ports/report.ts'

export interface LibraryWatchDependencies {
  readonly access: Pick<Access, 'libraries'>
  readonly clock: Clock
  readonly media: Pick<Media, 'health'>
  readonly scans: Pick<ScanControl, 'request'>
  readonly watcher: Watcher
  readonly onError: Report
  /** Whether a node watched before: changes since then have to be searched for. */
  readonly goesOn?: boolean
}

interface WatchedRoot {
  readonly libraryId: LibraryId
  readonly root: LibraryRoot
  /** Null if it cannot be watched. */
  readonly watching: Watching | null
  /** Which folder it was at that time; null if it was offline. */
  readonly identity: string | null
  /** The same for the mount points below it that scans have noted. */
  readonly mounted: ReadonlyMap<string, string | null>
  readonly lookedAt: number
}

const TICK_MS = 500
/** Interval for noticing a root that appears, disappears or is replaced, and for retrying one that could not be watched. */
const LOOK_MS = 30_000
const AUTHOR = { actor: 'system', command: 'watchLibraries' } as const

/** Watches until the signal. */
export async function watchLibraries(deps: LibraryWatchDependencies, signal: AbortSignal): Promise<void> {
  const { access, clock } = deps
  const watched = new Map<string, WatchedRoot>()
  const gathered = new Map<LibraryId, ChangeDebounce>()
  try {
    await keepWatches(deps, watched, gathered)
    if (deps.goesOn) for (const { libraryId, root } of watched.values()) addUnwatched(access, gathered.get(libraryId), { libraryId, root })
    while (!signal.aborted) {
      await keepWatches(deps, watched, gathered)
      for (const [id, changes] of gathered) {
        const library = access.libraries.get(id)
        if (!library?.settings.watchFiles) gathered.delete(id)
        else if (changes.isDue()) await scanChanged(deps, library, changes)
      }
      await clock.sleep(TICK_MS, signal).catch(() => {})
    }
  } finally {
    for (const { watching } of watched.values()) await watching?.close().catch((cause: unknown) => deps.onError(cause, 'warn'))
  }
}

type Watches = Map<string, WatchedRoot>
type Gathered = Map<LibraryId, ChangeDebounce>

/** Starts missing watches, ends unwanted ones, and checks from time to time whether a root is another folder now. */
async function keepWatches(deps: LibraryWatchDependencies, watched: Watches, gathered: Gathered): Promise<void> {
  const wanted = new Map<string, Pick<WatchedRoot, 'libraryId' | 'root'>>()
  for (const { id, roots, settings } of deps.access.libraries.values()) {
    if (settings.watchFiles) for (const root of roots) wanted.set(`${id} ${root.path}`, { libraryId: id, root })
  }
  for (const [key, { watching }] of watched) {
    if (wanted.has(key)) continue
    watched.delete(key)
    await watching?.close().catch((cause: unknown) => deps.onError(cause, 'warn'))
  }
  const look = async (key: string, { libraryId, root }: Pick<WatchedRoot, 'libraryId' | 'root'>): Promise<void> => {
    const before = watched.get(key)
    if (before && deps.clock.monotonic() - before.lookedAt < LOOK_MS) return
    const changes = gathered.get(libraryId) ?? createChangeDebounce(deps)
    gathered.set(libraryId, changes)
    watched.set(key, await lookAt(deps, { libraryId, root }, { before, changes }))
  }
  // At once: those of dead drives take long.
  await Promise.all([...wanted].map(([key, root]) => look(key, root)))
}

/** Skips a library that was never scanned: its first scan is left to people. */
function addUnwatched(
  { libraries }: LibraryWatchDependencies['access'],
  changes: ChangeDebounce | undefined,
  { libraryId, root }: Pick<WatchedRoot, 'libraryId' | 'root'>,
): void {
  if (libraries.get(libraryId)?.wholeScanAt) changes?.addRoot(root.path)
}

async function lookAt(
  deps: LibraryWatchDependencies,
  key: Pick<WatchedRoot, 'libraryId' | 'root'>,
  { before, changes }: { readonly before: WatchedRoot | undefined; readonly changes: ChangeDebounce },
): Promise<WatchedRoot> {
  const { path } = key.root
  const health = await deps.media.health(path)
  const identity = health.available ? health.identity : null
  const mounted = await identitiesAt(deps, key.root, before?.mounted)
  const lookedAt = deps.clock.monotonic()
  const isReturned = isBack(key.root, health, before) || isRemounted(mounted, before?.mounted)
  if (before?.watching && before.identity === identity && !isReturned) return { ...before, mounted, lookedAt }
  await before?.watching?.close().catch((cause: unknown) => deps.onError(cause, 'warn'))
  const watching = await begin(deps, path, { changes, quietly: before?.watching === null })
  // Changes while it was not watched went unnoticed; a folder that disappeared or was replaced also needs a scan.
  if (isReturned || (before && (watching || before.identity !== identity))) changes.addRoot(path)
  return { ...key, watching, identity, mounted, lookedAt }
}

/** Identities of the folders at the root's mount points. A drive that does not answer counts as before. */
async function identitiesAt(
  { media }: LibraryWatchDependencies,
  { mountPoints }: LibraryRoot,
  before: WatchedRoot['mounted'] = new Map(),
): Promise<WatchedRoot['mounted']> {
  const looks = mountPoints.map(async ({ path }) => {
    const health = await media.health(path)
    if (health.available) return [path, health.identity] as const
    return [path, health.reason === 'unreadable' ? (before.get(path) ?? null) : null] as const
  })
  return new Map(await Promise.all(looks))
}

/** Whether a drive was mounted or unmounted: the system does not report that as a change of a folder. */
const isRemounted = (now: WatchedRoot['mounted'], before: WatchedRoot['mounted'] = new Map()): boolean =>
  [...now].some(([path, identity]) => before.has(path) && before.get(path) !== identity)

/** A folder that a scan has taken for the mount point of a missing drive is not back before it is another one. */
function isBack({ available, reason, device }: LibraryRoot, health: RootHealth, before: WatchedRoot | undefined): boolean {
  if (available || !health.available) return false
  return reason !== UNMOUNTED || health.device === device || health.identity !== before?.identity
}

async function begin(
  { watcher, onError }: LibraryWatchDependencies,
  root: string,
  { changes, quietly }: { readonly changes: ChangeDebounce; readonly quietly: boolean },
): Promise<Watching | null> {
  try {
    return await watcher.watch(root, { changed: (paths) => changes.add(root, paths), lost: () => changes.addRoot(root) })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    if (!quietly) onError(new Error(`${root} cannot be watched for changes (${reason}): scans find them`, { cause }), 'warn')
    return null
  }
}

async function scanChanged({ scans, onError }: LibraryWatchDependencies, library: LibraryDocument, changes: ChangeDebounce): Promise<void> {
  const roots = library.roots.map(({ path }) => path)
  const folders = await changes.take(roots)
  if (folders.length === 0) return
  const paths = roots.every((root) => folders.includes(root)) ? null : folders
  const request = { mode: 'incremental', paths, trigger: 'watcher', startedBy: null } as const
  try {
    const requested = await scans.request(library.id, request, AUTHOR)
    // Keep the folders while another scan runs: that one may have passed them already.
    if (isRefusal(requested) && requested.refusal === 'conflict') changes.putBack(folders)
  } catch (cause) {
    changes.putBack(folders)
    onError(cause, 'warn')
  }
}
