/** Picture maker: looks at pictures and makes other sizes and forms of them. What it is given may be hostile. */

export type PictureType = 'image/jpeg' | 'image/png' | 'image/webp'

/** What a picture's header says. */
export interface PictureFacts {
  /** As it is shown: turned where it says that it is to be turned. */
  readonly width: number
  readonly height: number
  readonly hasAlpha: boolean
}

export interface Making {
  /** Neither is larger than the picture's own; what the shape leaves over is cut off on both sides. */
  readonly width: number
  readonly height: number
  readonly type: PictureType
  /** 1 to 100; a PNG has none. */
  readonly quality: number
}

export interface PictureMaker {
  /** So many at once are worth it, and leave room for everything else. */
  readonly atOnce: number
  /** @throws BadPicture it is no JPEG, PNG or WebP, or has more pixels than are ever decoded */
  look(bytes: Uint8Array): Promise<PictureFacts>
  /** In sRGB with 8 bits a channel, turned upright, its first frame, without any metadata. @throws BadPicture as above, or broken further on */
  make(bytes: Uint8Array, making: Making): Promise<Uint8Array>
  /** Mean colour, `#rrggbb`; black shows through where the picture lets anything. @throws BadPicture as `make` */
  tint(bytes: Uint8Array): Promise<string>
  /** A neutral picture of that size, which stands for one that cannot be had. */
  blank(size: Pick<Making, 'width' | 'height'>): Promise<Uint8Array>
}

export class BadPicture extends Error {
  readonly code = 'bad-picture'
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BadPicture'
  }
}
