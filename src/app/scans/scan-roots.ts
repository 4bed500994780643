/**
 * Health of a library's roots: nothing is judged missing while one is away, because a drive that is not mounted must not cost
 * anybody a movie.
 */
import type { RootDevice, UnavailableRoot } from '../../events/library-events.ts'
import type { LibraryRoot } from '../../../projections/views/libraries.ts'
import { isWithin, rootsAway } from '../../domain/libraries/library.ts'
import type { Media } from '../../ports/media.ts'
import type { ScanRun } from './scan-run.ts'

/** An empty folder on another file system than at the last good scan: the place where a drive used to be mounted. */
const UNMOUNTED = 'unmounted'

export interface RootsHealth {
  readonly away: readonly UnavailableRoot[]
  readonly devices: readonly RootDevice[]
}

export async function healthOfRoots(
  media: Pick<Media, 'health'>,
  roots: readonly Pick<LibraryRoot, 'path' | 'device'>[],
): Promise<RootsHealth> {
  const away: UnavailableRoot[] = []
  const devices: RootDevice[] = []
  for (const { path, device } of roots) {
    const health = await media.health(path)
    if (!health.available) away.push({ path, reason: health.reason })
    else if (health.empty && device !== null && health.device !== device) away.push({ path, reason: UNMOUNTED })
    else devices.push({ path, device: health.device })
  }
  return { away, devices }
}

/**
 * Where the roots lie that this scan looks at; undefined when one of them is away. What has changed about any root is written
 * down.
 */
export async function rootsAreThere(scan: ScanRun): Promise<readonly RootDevice[] | undefined> {
  const { deps, library, request } = scan
  const { away, devices } = await healthOfRoots(deps.media, library.roots)
  await scan.tellLibrary(rootsAway(away))
  const concerns = (root: string) => request.paths === null || request.paths.some((path) => isWithin(path, root))
  return away.some(({ path }) => concerns(path)) ? undefined : devices
}

/** Whether the roots still lie where they did: a drive may go away in the middle of a scan. */
export async function rootsAreStillThere({ deps, library }: ScanRun, before: readonly RootDevice[]): Promise<boolean> {
  const { devices } = await healthOfRoots(deps.media, library.roots)
  return before.every(({ path, device }) => devices.some((root) => root.path === path && root.device === device))
}
