/** Whether a place is a folder, or lies below it. */
import { realpathSync } from 'node:fs'
import { dirname, join, relative, basename, sep } from 'node:path'

/** Both absolute; links are followed as far as the place exists. */
export function isInFolder(path: string, folder: string): boolean {
  const way = relative(real(folder), real(path))
  return way !== '..' && !way.startsWith(`..${sep}`)
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(real(parent), basename(path))
  }
}
