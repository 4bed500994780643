/**
 * Debounces changes on disk: copying a film causes many changes, which should start one scan. Changes are released after a quiet period, or
 * when the first of them has waited long enough.
 */
import { concernsOthers, concernsScan, fewestFolders, parentOf } from '../../domain/libraries/changed-folders.ts'
import { isWithin } from '../../domain/libraries/library.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Media } from '../../ports/media.ts'

export interface ChangeDebounce {
  add(root: string, paths: readonly string[]): void
  /** Anything below the root may have changed. */
  addRoot(root: string): void
  /** Whether changes can be released. */
  isDue(): boolean
  /** Returns and forgets the folders to scan, at most 50. If this throws, none is lost. */
  take(roots: readonly string[]): Promise<readonly string[]>
  /** Puts back folders that could not be scanned now. */
  putBack(folders: readonly string[]): void
}

const QUIET_MS = 2000
const LONGEST_MS = 15_000
/** Most single paths; beyond them the whole root counts as changed. */
const PATHS_MAX = 1000
const FOLDERS_MAX = 50

export function createChangeDebounce({ clock, media }: { readonly clock: Clock; readonly media: Pick<Media, 'health'> }): ChangeDebounce {
  /** Changed paths with their roots; a root maps to itself. */
  let paths = new Map<string, string>()
  let first = 0
  let last = 0

  function remember(path: string, root: string): void {
    if (paths.size === 0) first = clock.monotonic()
    last = clock.monotonic()
    if (paths.size >= PATHS_MAX) paths = new Map([...new Set(paths.values())].map((one) => [one, one]))
    if (paths.get(root) !== root) paths.set(path, root)
  }

  /** The folder to scan: a new folder itself, the folder of a file, or the former place of a folder that is gone. */
  async function folderOf(path: string, root: string): Promise<string> {
    if (path === root) return root
    const health = await media.health(path)
    if (health.available) return path
    if (health.reason !== 'missing') return parentOf(path)
    let gone = path
    while (parentOf(gone) !== root && !(await media.health(parentOf(gone))).available) gone = parentOf(gone)
    return gone === path && concernsOthers(path, root) ? parentOf(path) : gone
  }

  return {
    add(root, changed) {
      for (const path of changed) if (concernsScan(path, root)) remember(path, root)
    },
    addRoot: (root) => remember(root, root),
    isDue: () => paths.size > 0 && (clock.monotonic() - last >= QUIET_MS || clock.monotonic() - first >= LONGEST_MS),
    async take(roots) {
      const taken = paths
      paths = new Map()
      const folders: string[] = []
      for (const [path, root] of taken) if (roots.some((one) => isWithin(root, one))) folders.push(await folderOf(path, root))
      return fewestFolders(folders, roots, FOLDERS_MAX)
    },
    putBack(folders) {
      for (const folder of folders) remember(folder, folder)
    },
  }
}
