/**
 * Checks the health of a library's roots: while one is offline nothing is marked missing, because an unmounted drive must not cost anybody
 * a movie.
 */
import type { RootDevice, UnavailableRoot } from '../../events/library-events.ts'
import type { LibraryRoot } from '../../../projections/views/libraries.ts'
import { isWithin, rootsAway } from '../../domain/libraries/library.ts'
import type { Media } from '../../ports/media.ts'
import type { ScanRun } from './scan-run.ts'

/** An empty folder on another file system than in the last good scan: the mount point of a missing drive. */
const UNMOUNTED = 'unmounted'

export interface RootsHealth {
  readonly away: readonly UnavailableRoot[]
  readonly devices: readonly RootDevice[]
  /** Which folder each root is, by its path. */
  readonly identities: ReadonlyMap<string, string>
}

export async function healthOfRoots(
  media: Pick<Media, 'health'>,
  roots: readonly Pick<LibraryRoot, 'path' | 'device'>[],
): Promise<RootsHealth> {
  const away: UnavailableRoot[] = []
  const devices: RootDevice[] = []
  const identities = new Map<string, string>()
  for (const { path, device } of roots) {
    const health = await media.health(path)
    if (!health.available) away.push({ path, reason: health.reason })
    else if (health.empty && device !== null && health.device !== device) away.push({ path, reason: UNMOUNTED })
    else {
      devices.push({ path, device: health.device })
      identities.set(path, health.identity)
    }
  }
  return { away, devices, identities }
}

/** Devices of the roots that this scan covers; undefined if one of them is offline. Records changes of all roots. */
export async function rootsAreThere(scan: ScanRun): Promise<readonly RootDevice[] | undefined> {
  const { deps, library, request } = scan
  const { away, devices } = await healthOfRoots(deps.media, library.roots)
  await scan.applyToLibrary(rootsAway(away))
  const concerns = (root: string) => request.paths === null || request.paths.some((path) => isWithin(path, root))
  return away.some(({ path }) => concerns(path)) ? undefined : devices
}

/** Whether the roots are still on the same devices: a drive may disappear during a scan. */
export async function rootsAreStillThere({ deps, library }: ScanRun, before: readonly RootDevice[]): Promise<boolean> {
  const { devices } = await healthOfRoots(deps.media, library.roots)
  return before.every(({ path, device }) => devices.some((root) => root.path === path && root.device === device))
}
