/**
 * Notices that a drive below a root is away: its mount point, which has no films then, must not cost anybody a movie. A scan notes the
 * folders where films are on another file system than in the folder around. If such a folder is gone, or is on another file system than
 * noted and has no films, all below it counts as unreadable.
 */
import type { MountPoint, RootDevice } from '../../events/library-events.ts'
import { byCodePoints } from '../../vocabulary/code-point-order.ts'
import { mapConcurrently } from '../../concurrency/semaphore.ts'
import { parentOf } from '../../domain/libraries/changed-folders.ts'
import { isWithin, rootOf } from '../../domain/libraries/library.ts'
import type { KnownFiles } from './file-matching.ts'
import { holdsVideo } from './scan-roots.ts'
import { below, isInScope, isUnreadable, pathsOf, type ScanRun } from './scan-run.ts'
import type { WalkedVideo } from './video-reader.ts'

export interface MountPoints {
  /** Finds the mount points of the walked films. */
  find(videos: readonly WalkedVideo[]): Promise<void>
  /** Notices drives that have gone since the scan has begun. Call it before anything is marked missing. */
  lookAgain(): Promise<void>
  /** Records which drives are away, and returns the roots with the mount points that the next scan has to know. */
  conclude(roots: readonly RootDevice[], knownFiles: KnownFiles): readonly RootDevice[]
}

interface State {
  readonly scan: ScanRun
  /** Of earlier scans, without those that were away at the start. */
  readonly noted: Map<string, MountPoint>
  readonly found: Map<string, MountPoint>
  readonly away: Map<string, MountPoint>
}

/** A dead drive takes ten seconds. */
const LOOKS_WIDTH = 16
/** Of a root. */
const NOTED_MAX = 1_000
const AWAY =
  "No drive with its films is mounted here: they stay as they are. Mount it and scan again. If it was removed for good, name the other folders in the library's settings"

/** Looks at the mount points that concern the scan. */
export async function openMountPoints(scan: ScanRun): Promise<MountPoints> {
  const noted = scan.library.roots.flatMap(({ mountPoints }) => mountPoints)
  const state: State = { scan, noted: new Map(noted.map((point) => [point.path, point])), found: new Map(), away: new Map() }
  await mapConcurrently(noted.filter(isConcerned(scan)), LOOKS_WIDTH, async (point) => {
    const now = await look(state, point)
    if (now === 'away') setAway(state, point)
    if (typeof now === 'string') state.noted.delete(point.path)
    else state.noted.set(point.path, now)
  })
  return {
    find: (videos) => find(state, videos),
    lookAgain: () => lookAgain(state),
    conclude: (roots, knownFiles) => conclude(state, roots, knownFiles),
  }
}

const isConcerned =
  ({ request }: ScanRun) =>
  ({ path }: MountPoint): boolean =>
    request.paths === null || request.paths.some((each) => isWithin(path, each) || isWithin(each, path))

function setAway({ scan, away }: State, point: MountPoint): void {
  away.set(point.path, point)
  scan.unreadable.add(point.path)
}

/** The mount point as it is now. `folder`: films were copied to the folder while no drive was mounted there. */
async function look({ scan, noted }: State, point: MountPoint): Promise<MountPoint | 'away' | 'folder'> {
  const { media } = scan.deps
  const { path, device } = point
  const health = await media.health(path)
  // What cannot be read is an error of the walk, and protected by that.
  if (!health.available) return health.reason === 'unreadable' ? point : 'away'
  const isMounted = await isMountPoint(scan, path, health.device)
  if (isMounted && health.device === device) return point
  const roots = pathsOf(scan)
  const places = [...roots, ...noted.keys()]
  const hasVideo =
    !health.empty && (await holdsVideo(scan, { folder: path, root: rootOf(path, roots) ?? path, places }).catch(() => undefined))
  scan.signal.throwIfAborted()
  if (hasVideo === undefined) return point
  if (!hasVideo) return 'away'
  return isMounted ? { path, device: health.device } : 'folder'
}

/** Numbers of devices alone do not tell: the system may give that of a drive to another one. */
async function isMountPoint({ deps }: ScanRun, path: string, device: number): Promise<boolean> {
  const around = await deps.media.health(parentOf(path))
  return !around.available || around.device !== device
}

async function find({ scan, found }: State, videos: readonly WalkedVideo[]): Promise<void> {
  const devices = new Map<string, number | undefined>()
  const deviceAt = async (path: string): Promise<number | undefined> => {
    if (!devices.has(path)) {
      const health = await scan.deps.media.health(path)
      devices.set(path, health.available ? health.device : undefined)
    }
    return devices.get(path)
  }
  for (const { root, file, device } of videos) {
    if (device === undefined || device === (await deviceAt(root))) continue
    const folder = parentOf(file.path)
    if (isFound(found, folder, { root, device })) continue
    const point = await mountPointAround(folder, root, deviceAt)
    if (point) found.set(point.path, point)
  }
}

function isFound(found: State['found'], folder: string, { root, device }: { readonly root: string; readonly device: number }): boolean {
  for (let at = folder; at.length > root.length; at = parentOf(at)) if (found.get(at)?.device === device) return true
  return false
}

/** The innermost folder from the root down to this one that is on another device than the folder around it. */
async function mountPointAround(
  folder: string,
  root: string,
  deviceAt: (path: string) => Promise<number | undefined>,
): Promise<MountPoint | undefined> {
  const path: string[] = []
  for (let at = folder; at.length > root.length; at = parentOf(at)) path.unshift(at)
  let point: MountPoint | undefined
  let around = await deviceAt(root)
  for (const at of path) {
    const device = await deviceAt(at)
    if (device === undefined) return undefined
    if (device !== around) point = { path: at, device }
    around = device
  }
  return point
}

async function lookAgain(state: State): Promise<void> {
  const { scan, noted, found } = state
  const points = [...new Map([...noted, ...found]).values()].filter(isConcerned(scan))
  await mapConcurrently(points, LOOKS_WIDTH, async (point) => {
    const health = await scan.deps.media.health(point.path)
    const isThere = health.available
      ? health.device === point.device && (await isMountPoint(scan, point.path, health.device))
      : health.reason === 'unreadable'
    if (!isThere) setAway(state, point)
  })
}

function conclude(state: State, devices: readonly RootDevice[], knownFiles: KnownFiles): readonly RootDevice[] {
  const { scan, noted, found, away } = state
  const { awayReports } = scan.deps
  const roots = pathsOf(scan)
  const films = filmsNotFound(state, knownFiles)
  const points = new Map(found)
  // A mount point that the scan has not walked through stays as it was noted.
  for (const [path, point] of noted) if (!points.has(path) && (!isInScope(scan, path) || isUnreadable(scan, path))) points.set(path, point)
  for (const point of [...away.values()].sort(byPath)) {
    const { path } = point
    const count = films.get(path)
    if (count === undefined) continue
    points.set(path, point)
    const root = rootOf(path, roots) ?? path
    scan.journal.error(below(root, path), AWAY)
    awayReports.away(scan.library, { path, root, films: count })
  }
  const looked = [...[...noted.values()].filter(isConcerned(scan)), ...found.values(), ...away.values()]
  for (const { path } of looked) if (!films.has(path)) awayReports.back(scan.library.id, path)
  const sorted = [...points.values()].sort(byPath).filter(({ path }) => !roots.includes(path))
  return devices.map(({ path: root, device }) => {
    const mountPoints = sorted.filter(({ path }) => rootOf(path, roots) === root).slice(0, NOTED_MAX)
    return { path: root, device, ...(mountPoints.length > 0 ? { mountPoints } : {}) }
  })
}

const byPath = (a: MountPoint, b: MountPoint): number => byCodePoints(a.path, b.path)

/** How many known films of each drive that is away were not found, there or elsewhere; a film counts for its innermost mount point. */
function filmsNotFound({ scan, noted, found, away }: State, knownFiles: KnownFiles): ReadonlyMap<string, number> {
  const films = new Map<string, number>()
  if (away.size === 0) return films
  const places = new Set([...pathsOf(scan), ...noted.keys(), ...found.keys(), ...away.keys()])
  for (const { id, path, missing } of knownFiles.files) {
    if (missing || knownFiles.isPresent(id)) continue
    let place = parentOf(path)
    while (!places.has(place) && place !== '/') place = parentOf(place)
    if (away.has(place)) films.set(place, (films.get(place) ?? 0) + 1)
  }
  return films
}
