/** Picture store that keeps everything while the process runs: for tests. */
import { hash } from 'node:crypto'
import type { KeptPicture, PictureStore } from '../../ports/picture-store.ts'

export function createMemoryPictureStore(): PictureStore {
  const kept = new Map<string, KeptPicture>()
  return {
    get: async (key) => kept.get(key),
    put(key, { bytes, type }) {
      const picture = { bytes, type, tag: hash('sha256', bytes, 'base64url').slice(0, 22) }
      kept.set(key, picture)
      return picture
    },
    close: async () => undefined,
  }
}
