/** Image store: a cache of rendered images. An entry may vanish at any time, and nothing waits for writes. */
import type { ImageType } from './image-maker.ts'

export interface StoredImage {
  readonly bytes: Uint8Array
  readonly type: ImageType
  /** Derived from the bytes: 22 letters, digits, `-` and `_`. */
  readonly tag: string
}

export interface ImageStore {
  /** `key`: 32 hex digits that identify the source and the rendering. */
  get(key: string): Promise<StoredImage | undefined>
  /** Returns at once, with the entry that others will get. */
  put(key: string, image: Pick<StoredImage, 'bytes' | 'type'>): StoredImage
  /** Settles when recent entries are written. */
  close(): Promise<void>
}
