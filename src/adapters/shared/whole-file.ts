/** Writes files atomically: under a temporary name, then renamed, so that a file with its final name is complete. */
import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface Modes {
  readonly file: number
  readonly folder: number
}

/** For files that no other user may read. */
export const PRIVATE: Modes = { file: 0o600, folder: 0o700 }
/** Suffix of temporary files, which a crash may leave behind. */
export const UNFINISHED = '.part'

/** Makes the folder if missing. @throws the disk's error; then nothing of the file is left */
export async function writeWhole(path: string, content: Uint8Array | string, modes?: Modes): Promise<void> {
  // Several processes may write the same file of a shared folder.
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
