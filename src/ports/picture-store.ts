/** Picture store: a cache of rendered pictures. An entry may vanish at any time, and nothing waits for writes. */
import type { PictureType } from './pictures.ts'

export interface KeptPicture {
  readonly bytes: Uint8Array
  readonly type: PictureType
  /** Derived from the bytes: 22 letters, digits, `-` and `_`. */
  readonly tag: string
}

export interface PictureStore {
  /** `key`: 32 hex digits that identify the source and the rendering. */
  get(key: string): Promise<KeptPicture | undefined>
  /** Returns at once, with the entry that others will get. */
  put(key: string, picture: Pick<KeptPicture, 'bytes' | 'type'>): KeptPicture
  /** Settles when recent entries are written. */
  close(): Promise<void>
}
