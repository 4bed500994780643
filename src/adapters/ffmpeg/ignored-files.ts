/** What is no film and belongs to none, whatever folder it lies in. */
import type { Dirent } from 'node:fs'

/** Litter of NAS systems, file systems and Windows. */
const LEFT_OUT: ReadonlySet<string> = new Set(['@eaDir', 'lost+found', '$RECYCLE.BIN', 'System Volume Information'])

export function isWanted(entry: Dirent): boolean {
  const known = entry.isFile() || entry.isDirectory() || entry.isSymbolicLink()
  return known && !entry.name.startsWith('.') && !LEFT_OUT.has(entry.name)
}
