/** Reads a file that an argument names. */
import { readFileSync } from 'node:fs'
import { fileReason } from '../vocabulary/file-reason.ts'

/**
 * @param what whose file it is, for the error
 * @throws Error it cannot be read; its message says why and what to give
 */
export function readGivenFile(path: string, what: string, give: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`${what} cannot be read from ${path}: ${fileReason(cause)}. ${give}.`, { cause })
  }
}
