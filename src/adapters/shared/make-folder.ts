/**
 * Makes a folder with its parents, for its owner only. Node's recursive `mkdir` must not be used for a path that somebody gives: it never
 * returns if a folder cannot be found after it was made in a parent that exists, as below `/proc`.
 */
import { mkdirSync, statSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PRIVATE } from './whole-file.ts'

const MODE = { mode: PRIVATE.folder }

/** @throws Error the folder cannot be made, or the path is a file */
export async function makeFolder(path: string): Promise<void> {
  const isFolder = () =>
    stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    )
  if (await isFolder()) return
  const parent = dirname(path)
  const hasParent = await stat(parent).catch(() => undefined)
  if (parent !== path && !hasParent) await makeFolder(parent)
  await mkdir(path, MODE).catch(async (cause: unknown) => {
    // Another process may have made it meanwhile.
    if (!(await isFolder())) throw cause
  })
}

/** @throws Error as `makeFolder` */
export function makeFolderSync(path: string): void {
  const isFolder = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  if (isFolder()) return
  const parent = dirname(path)
  const hasParent = statSync(parent, { throwIfNoEntry: false }) !== undefined
  if (parent !== path && !hasParent) makeFolderSync(parent)
  try {
    mkdirSync(path, MODE)
  } catch (cause) {
    if (!isFolder()) throw cause
  }
}
