/** Image maker: inspects images and renders other sizes and formats. Its input may be hostile. */

export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp'

/** Facts from an image's header. */
export interface ImageFacts {
  /** As displayed: rotated if the header asks for it. */
  readonly width: number
  readonly height: number
  readonly hasAlpha: boolean
}

export interface Making {
  /** Neither exceeds the image's own; excess from the aspect ratio is cropped on both sides. */
  readonly width: number
  readonly height: number
  readonly type: ImageType
  /** 1 to 100; a PNG has none. */
  readonly quality: number
}

export interface ImageMaker {
  /** Useful concurrency that leaves room for everything else. */
  readonly atOnce: number
  /** @throws BadImage it is not JPEG, PNG or WebP, or has more pixels than the decoding limit */
  look(bytes: Uint8Array): Promise<ImageFacts>
  /** In sRGB with 8 bits a channel, upright, first frame only, without metadata. @throws BadImage as above, or its data is corrupt */
  make(bytes: Uint8Array, making: Making): Promise<Uint8Array>
  /** Mean colour, `#rrggbb`, with transparent parts over black. @throws BadImage as `make` */
  tint(bytes: Uint8Array): Promise<string>
  /** A neutral placeholder of that size for an image that cannot be fetched. */
  blank(size: Pick<Making, 'width' | 'height'>): Promise<Uint8Array>
}

export class BadImage extends Error {
  readonly code = 'bad-image'
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BadImage'
  }
}
