/** Which folders are to be scanned after something has changed below a library's root. */
import { isWithin } from './library.ts'
import { extensionOf, isVideo } from '../scans/file-names.ts'

/** Files that are only on their way, and what systems leave behind. */
const PASSING: ReadonlySet<string> = new Set(
  'part partial tmp temp crdownload download !qb !ut aria2 filepart lock db ini log bak'.split(' '),
)

/** Whether a scan could find anything else by this change: hidden and passing files never count. */
export function concernsScan(path: string, root: string): boolean {
  const names = path.slice(root.length).split('/').filter(Boolean)
  return !names.some((name) => name.startsWith('.')) && !PASSING.has(extensionOf(names.at(-1) ?? ''))
}

const COMPANIONS: ReadonlySet<string> = new Set('nfo srt vtt ass ssa jpg jpeg png webp'.split(' '))

/** Whether something that is gone was a file whose neighbours are others without it; a film among all the others of a root is not. */
export const concernsOthers = (path: string, root: string): boolean =>
  COMPANIONS.has(extensionOf(path)) || (isVideo(path) && parentOf(path) !== root)

/** The folder that a path lies in. */
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** Each folder once, none below another one; the roots themselves where there are too many. */
export function fewestFolders(folders: readonly string[], roots: readonly string[], most: number): readonly string[] {
  const kept: string[] = []
  for (const folder of [...new Set(folders)].sort((a, b) => a.length - b.length)) {
    if (!kept.some((above) => isWithin(folder, above))) kept.push(folder)
    if (kept.length > most) return roots
  }
  return kept
}
