/** Decides which folders to scan after a change below a library's root. */
import { isWithin } from './library.ts'
import { extensionOf, isVideo } from '../scans/file-names.ts'

/** Extensions of incomplete files and system leftovers. */
const PASSING: ReadonlySet<string> = new Set(
  'part partial tmp temp crdownload download !qb !ut aria2 filepart lock db ini log bak'.split(' '),
)

/** Whether the change can affect a scan: hidden and temporary files never do. */
export function concernsScan(path: string, root: string): boolean {
  const names = path.slice(root.length).split('/').filter(Boolean)
  return !names.some((name) => name.startsWith('.')) && !PASSING.has(extensionOf(names.at(-1) ?? ''))
}

const COMPANIONS: ReadonlySet<string> = new Set('nfo srt vtt ass ssa jpg jpeg png webp'.split(' '))

/** Whether the removal of this file affects its neighbours; a film among others directly in a root does not. */
export const concernsOthers = (path: string, root: string): boolean =>
  COMPANIONS.has(extensionOf(path)) || (isVideo(path) && parentOf(path) !== root)

/** The parent folder of a path. */
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** Without duplicates, and without folders below another one; returns the roots if there are too many. */
export function fewestFolders(folders: readonly string[], roots: readonly string[], most: number): readonly string[] {
  const kept: string[] = []
  for (const folder of [...new Set(folders)].sort((a, b) => a.length - b.length)) {
    if (!kept.some((above) => isWithin(folder, above))) kept.push(folder)
    if (kept.length > most) return roots
  }
  return kept
}
