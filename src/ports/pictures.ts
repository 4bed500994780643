/** Picture maker: inspects pictures and renders other sizes and formats. Its input may be hostile. */

export type PictureType = 'image/jpeg' | 'image/png' | 'image/webp'

/** Facts from a picture's header. */
export interface PictureFacts {
  /** As displayed: rotated if the header asks for it. */
  readonly width: number
  readonly height: number
  readonly hasAlpha: boolean
}

export interface Making {
  /** Neither exceeds the picture's own; excess from the aspect ratio is cropped on both sides. */
  readonly width: number
  readonly height: number
  readonly type: PictureType
  /** 1 to 100; a PNG has none. */
  readonly quality: number
}

export interface PictureMaker {
  /** Useful concurrency that leaves room for everything else. */
  readonly atOnce: number
  /** @throws BadPicture it is not JPEG, PNG or WebP, or has more pixels than the decoding limit */
  look(bytes: Uint8Array): Promise<PictureFacts>
  /** In sRGB with 8 bits a channel, upright, first frame only, without metadata. @throws BadPicture as above, or its data is corrupt */
  make(bytes: Uint8Array, making: Making): Promise<Uint8Array>
  /** Mean colour, `#rrggbb`, with transparent parts over black. @throws BadPicture as `make` */
  tint(bytes: Uint8Array): Promise<string>
  /** A neutral placeholder of that size for a picture that cannot be fetched. */
  blank(size: Pick<Making, 'width' | 'height'>): Promise<Uint8Array>
}

export class BadPicture extends Error {
  readonly code = 'bad-picture'
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BadPicture'
  }
}
