/**
 * Image files: `<root>/<2 first hex>/<key>-<tag>.<form>`. The tag is derived from the bytes, so that a file truncated by a crash is
 * detected.
 */
import { hash } from 'node:crypto'
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageType } from '../../ports/image-maker.ts'
import { PRIVATE, UNFINISHED, writeWhole } from '../shared/whole-file.ts'

export interface ImageFileName {
  readonly key: string
  readonly tag: string
  readonly type: ImageType
}

export interface FoundImage extends ImageFileName {
  readonly sizeBytes: number
  readonly usedAt: number
}

const FORMS: Readonly<Record<string, ImageType>> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' }
const EXTENSIONS: Readonly<Record<ImageType, string>> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' }
const FOLDER = /^[0-9a-f]{2}$/
const FILE = /^([0-9a-f]{32})-([\w-]{22})\.(jpg|png|webp)$/

export const tagOf = (bytes: Uint8Array): string => hash('sha256', bytes, 'base64url').slice(0, 22)

const pathOf = (root: string, { key, tag, type }: ImageFileName): string => join(root, key.slice(0, 2), `${key}-${tag}.${EXTENSIONS[type]}`)

export const writeImage = (root: string, name: ImageFileName, bytes: Uint8Array): Promise<void> =>
  writeWhole(pathOf(root, name), bytes, PRIVATE)

/** Undefined if it is gone, or not as it was written. */
export async function readImage(root: string, name: ImageFileName): Promise<Uint8Array | undefined> {
  const bytes = await readFile(pathOf(root, name)).catch(() => undefined)
  return bytes && tagOf(bytes) === name.tag ? bytes : undefined
}

export const removeImage = (root: string, name: ImageFileName): Promise<void> => rm(pathOf(root, name), { force: true })

/** Records a use for the next process, as the file's time. */
export async function markImageUsed(root: string, name: ImageFileName, now: number): Promise<void> {
  await utimes(pathOf(root, name), now / 1000, now / 1000).catch(() => undefined)
}

/** Least recently used first. Incomplete files are removed, foreign ones left alone. */
export async function findImages(root: string): Promise<readonly FoundImage[]> {
  const found: FoundImage[] = []
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
