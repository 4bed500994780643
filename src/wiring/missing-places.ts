/** Leaves a data folder as it was: removes the folders and the lock that a process made in it before it gave up. */
import { lstatSync, rmdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../config/config.ts'
import { dataFolderAt, JOURNALS } from '../process/data-folder.ts'

/**
 * Notes which places of a data folder are missing. The function that it returns removes these, while the lock is still held. It removes
 * only empty folders, because others may use a parent by now.
 */
export function noteMissingPlaces({ dataDir, blobs }: Pick<Config, 'dataDir' | 'blobs'>): () => void {
  const folder = dataFolderAt(dataDir, blobs)
  const files = isMissing(folder.lock) ? JOURNALS.map((end) => `${folder.lock}${end}`) : []
  const folders = [folder.cache, ...withParents(folder.blobs), ...withParents(folder.path)].filter(isMissing)
  return () => {
    for (const file of files) attempt(() => rmSync(file))
    for (const path of folders) attempt(() => rmdirSync(path))
  }
}

/** Also a link that leads nowhere is there. */
const isMissing = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) === undefined

/** The innermost first. */
function withParents(path: string): readonly string[] {
  const parent = dirname(path)
  return parent === path ? [path] : [path, ...withParents(parent)]
}

function attempt(remove: () => void): void {
  try {
    remove()
  } catch {
    // It is not empty, was never made, or is removed already. The reason to give up is what the caller reports.
  }
}
