/** Assembles sheets of thumbnails by sharp: each is placed unchanged at its position. */
import type { SheetGrid, TrickplayMaker } from '../../ports/trickplay-maker.ts'
import { loadSharp } from './sharp-image-maker.ts'

const QUALITY = 65
const TIMEOUT_SECONDS = 60

export const makeSheet: TrickplayMaker['sheet'] = async (images, { columns, rows, width, height }: SheetGrid) => {
  const sharp = await loadSharp()
  const black = { width: columns * width, height: rows * height, channels: 3, background: '#000' } as const
  const tiles = images.slice(0, columns * rows).map((image, place) => ({
    input: Buffer.from(image.buffer, image.byteOffset, image.byteLength),
    left: (place % columns) * width,
    top: Math.floor(place / columns) * height,
  }))
  return sharp({ create: black })
    .composite(tiles)
    .removeAlpha()
    .jpeg({ quality: QUALITY, mozjpeg: true })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .toBuffer()
}
