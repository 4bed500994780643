/** Writes small files so that a full disk, a kill or a power cut leaves either the file as it was before or the whole new one. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { PRIVATE, UNFINISHED } from './whole-file.ts'

/** For a file that no other process writes: the caller owns its folder. @throws the disk's error; then the file is as it was */
export function writeDurably(path: string, content: string): void {
  const unfinished = `${path}${UNFINISHED}`
  try {
    writeFileSync(unfinished, content, { mode: PRIVATE.file, flush: true })
    renameSync(unfinished, path)
  } catch (cause) {
    removeUnfinished(unfinished)
    throw cause
  }
  syncFolder(dirname(path))
}

function removeUnfinished(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The caller reports why it could not be written. The next attempt overwrites what is left.
  }
}

/** After it, files that were made, renamed or removed there stay so after a power cut. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } catch {
    // Some network file systems cannot sync a folder.
  } finally {
    closeSync(folder)
  }
}
