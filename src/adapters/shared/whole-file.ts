/** Whole files: written under another name and renamed, so that what has its name is whole. */
import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface Modes {
  readonly file: number
  readonly folder: number
}

/** Of what is no other user's business. */
export const PRIVATE: Modes = { file: 0o600, folder: 0o700 }
/** What a crash has cut short is called so. */
export const UNFINISHED = '.part'

/** Makes the folder where it is not there. @throws what the disk says: then nothing is left of it */
export async function writeWhole(path: string, content: Uint8Array | string, modes?: Modes): Promise<void> {
  // Several processes may write the same file of a folder that they share.
  const unfinished = `${path}.${randomUUID()}${UNFINISHED}`
  const write = () => writeFile(unfinished, content, { mode: modes?.file })
  try {
    await write().catch(async (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'ENOENT') throw cause
      await mkdir(dirname(path), { recursive: true, mode: modes?.folder })
      await write()
    })
    await rename(unfinished, path)
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    throw cause
  }
}
