/**
 * Picture files: `<root>/<2 first hex>/<key>-<tag>.<form>`. The tag is derived from the bytes, so that a file truncated by a crash is
 * detected.
 */
import { hash } from 'node:crypto'
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { PictureType } from '../../ports/pictures.ts'
import { PRIVATE, UNFINISHED, writeWhole } from '../shared/whole-file.ts'

export interface PictureName {
  readonly key: string
  readonly tag: string
  readonly type: PictureType
}

export interface FoundPicture extends PictureName {
  readonly sizeBytes: number
  readonly usedAt: number
}

const FORMS: Readonly<Record<string, PictureType>> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' }
const EXTENSIONS: Readonly<Record<PictureType, string>> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' }
const FOLDER = /^[0-9a-f]{2}$/
const FILE = /^([0-9a-f]{32})-([\w-]{22})\.(jpg|png|webp)$/

export const tagOf = (bytes: Uint8Array): string => hash('sha256', bytes, 'base64url').slice(0, 22)

const pathOf = (root: string, { key, tag, type }: PictureName): string => join(root, key.slice(0, 2), `${key}-${tag}.${EXTENSIONS[type]}`)

export const writePicture = (root: string, name: PictureName, bytes: Uint8Array): Promise<void> =>
  writeWhole(pathOf(root, name), bytes, PRIVATE)

/** Undefined if it is gone, or not as it was written. */
export async function readPicture(root: string, name: PictureName): Promise<Uint8Array | undefined> {
  const bytes = await readFile(pathOf(root, name)).catch(() => undefined)
  return bytes && tagOf(bytes) === name.tag ? bytes : undefined
}

export const removePicture = (root: string, name: PictureName): Promise<void> => rm(pathOf(root, name), { force: true })

/** Records a use for the next process, as the file's time. */
export async function markPictureUsed(root: string, name: PictureName, now: number): Promise<void> {
  await utimes(pathOf(root, name), now / 1000, now / 1000).catch(() => undefined)
}

/** Least recently used first. Incomplete files are removed, foreign ones left alone. */
export async function findPictures(root: string): Promise<readonly FoundPicture[]> {
  const found: FoundPicture[] = []
  for (const folder of (await readdir(root).catch(() => [])).filter((name) => FOLDER.test(name))) {
    for (const name of await readdir(join(root, folder)).catch(() => [])) {
      const path = join(root, folder, name)
      if (name.endsWith(UNFINISHED)) await rm(path, { force: true }).catch(() => undefined)
      const [, key, tag, form] = FILE.exec(name) ?? []
      const type = FORMS[form ?? '']
      const stats = key && tag && type ? await stat(path).catch(() => undefined) : undefined
      if (key && tag && type && stats?.isFile()) found.push({ key, tag, type, sizeBytes: stats.size, usedAt: stats.mtimeMs })
    }
  }
  return found.sort((a, b) => a.usedAt - b.usedAt)
}
