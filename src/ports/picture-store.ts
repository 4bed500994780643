/** Picture store: made pictures, kept to be sent again. What is put may be gone at any time, and nothing waits for it to be written. */
import type { PictureType } from './pictures.ts'

export interface KeptPicture {
  readonly bytes: Uint8Array
  readonly type: PictureType
  /** Follows from the bytes: 22 letters, digits, `-` and `_`. */
  readonly tag: string
}

export interface PictureStore {
  /** `key`: 32 hex digits, which say from what and how the picture is made. */
  get(key: string): Promise<KeptPicture | undefined>
  /** Returns at once, with what others will get. */
  put(key: string, picture: Pick<KeptPicture, 'bytes' | 'type'>): KeptPicture
  /** Settles when what was put lately is written. */
  close(): Promise<void>
}
