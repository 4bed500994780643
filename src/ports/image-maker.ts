/** Image maker: renders images in other sizes and formats. Its input may be hostile. */
import type { ImageBox, Size } from '../vocabulary/image-box.ts'

export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp'

/** `plain`: JPEG, or PNG if the image has transparency. */
export type ImageForm = ImageType | 'plain'

export interface Making {
  /** The image is never made larger; excess from the aspect ratio is cropped on both sides. */
  readonly box: ImageBox
  readonly form: ImageForm
  /** 1 to 100; a PNG has none. */
  readonly quality: number
}

export interface MadeImage {
  readonly bytes: Uint8Array
  readonly type: ImageType
}

export interface ImageMaker {
  /** Useful concurrency that leaves room for everything else. */
  readonly atOnce: number
  /**
   * In sRGB with 8 bits a channel, upright, first frame only, without metadata.
   * @throws BadImage it is not JPEG, PNG or WebP, has more pixels than the decoding limit, or its data is corrupt
   */
  make(bytes: Uint8Array, making: Making): Promise<MadeImage>
  /** Mean colour, `#rrggbb`, with transparent parts over black. @throws BadImage as `make` */
  tint(bytes: Uint8Array): Promise<string>
  /** A neutral placeholder of that size for an image that cannot be fetched. */
  blank(size: Size): Promise<Uint8Array>
}

export class BadImage extends Error {
  readonly code = 'bad-image'
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BadImage'
  }
}
