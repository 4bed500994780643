/** Recognises entries that are not films or their companions, in any folder. */
import type { Dirent } from 'node:fs'

/** System entries of NAS systems, file systems and Windows. */
const LEFT_OUT: ReadonlySet<string> = new Set(['@eaDir', 'lost+found', '$RECYCLE.BIN', 'System Volume Information'])

export function isWanted(entry: Dirent): boolean {
  const known = entry.isFile() || entry.isDirectory() || entry.isSymbolicLink()
  return known && !entry.name.startsWith('.') && !LEFT_OUT.has(entry.name)
}
