/** Image store that keeps everything while the process runs: for tests. */
import { hash } from 'node:crypto'
import type { StoredImage, ImageStore } from '../../ports/image-store.ts'

export function createMemoryImageStore(): ImageStore {
  const kept = new Map<string, StoredImage>()
  return {
    get: async (key) => kept.get(key),
    put(key, { bytes, type }) {
      const image = { bytes, type, tag: hash('sha256', bytes, 'base64url').slice(0, 22) }
      kept.set(key, image)
      return image
    },
    close: async () => undefined,
  }
}
