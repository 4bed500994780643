/** Answers what this user may do with a folder. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** The nearest folder above that exists. */
export function existingParent(path: string): string {
  const parent = dirname(path)
  return existsSync(parent) || parent === path ? parent : existingParent(parent)
}

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
export const isWritable = (path: string): boolean => allows(path, constants.W_OK | constants.X_OK)
export const isReadable = (path: string): boolean => allows(path, constants.R_OK | constants.X_OK)

function allows(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}
