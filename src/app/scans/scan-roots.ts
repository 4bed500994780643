/**
 * Checks the health of a library's roots: while one is offline nothing is marked missing, because an unmounted drive must not cost anybody
 * a movie.
 */
import type { RootDevice, UnavailableRoot } from '../../events/library-events.ts'
import type { Position } from '../../events/position.ts'
import { isWithin, rootOf, rootsAway } from '../../domain/libraries/library.ts'
import { videosInFolder } from '../../domain/scans/videos-in-folder.ts'
import { hasFilesInRoot } from '../read-models/files-below-roots.ts'
import { foldersOfVideos } from './folder-groups.ts'
import { pathsOf, surroundingsOf, type ScanRun } from './scan-run.ts'

/** The films of the root are away, and it is on another file system than in the last good scan: the mount point of a missing drive. */
export const UNMOUNTED = 'unmounted'

/**
 * Devices of the roots that this scan covers; undefined if one of them is offline. Records changes of all roots. `begun`: where the scan
 * begins in the log.
 */
export async function rootsAreThere(scan: ScanRun, begun: Position): Promise<readonly RootDevice[] | undefined> {
  const { deps, library, request } = scan
  const away: UnavailableRoot[] = []
  const devices: RootDevice[] = []
  for (const { path, device } of library.roots) {
    const health = await deps.media.health(path)
    const isElsewhere = health.available && device !== null && health.device !== device
    if (!health.available) away.push({ path, reason: health.reason })
    else if (
      isElsewhere &&
      (health.empty || !(await holdsVideo(scan, { folder: path, root: path, places: pathsOf(scan) }))) &&
      (await isWhereFilmsAre(scan, path, begun))
    )
      away.push({ path, reason: UNMOUNTED })
    else devices.push({ path, device: health.device })
  }
  await scan.applyToLibrary(rootsAway(away))
  const concerns = (root: string) => request.paths === null || request.paths.some((path) => isWithin(path, root) || isWithin(root, path))
  return away.some(({ path }) => concerns(path)) ? undefined : devices
}

/** Whether the roots are still on the same devices: a drive may disappear during a scan. */
export async function rootsAreStillThere({ deps }: ScanRun, before: readonly RootDevice[]): Promise<boolean> {
  for (const { path, device } of before) {
    const health = await deps.media.health(path)
    if (!health.available || health.device !== device) return false
  }
  return true
}

interface Held {
  readonly folder: string
  /** The root that is or contains it. */
  readonly root: string
  /** The folder itself, and folders whose films do not count if they are below it. */
  readonly places: readonly string[]
}

/** Whether a walk finds a film in this folder. */
export async function holdsVideo(scan: ScanRun, { folder, root, places }: Held): Promise<boolean> {
  const surroundings = surroundingsOf(scan, root)
  const folders = scan.deps.media.list(folder, { signal: scan.signal, onError: () => {} })
  for await (const each of foldersOfVideos(folders, surroundings)) {
    if (rootOf(each.path, places) === folder && videosInFolder(each, surroundings).videos.length > 0) return true
  }
  return false
}

/** Whether the library knows films in this root, not counting roots below it. All that earlier scans have found counts. */
async function isWhereFilmsAre(scan: ScanRun, root: string, begun: Position): Promise<boolean> {
  await scan.seen(begun)
  return hasFilesInRoot(scan.deps.readModels, { libraryId: scan.library.id, root, roots: pathsOf(scan) })
}
