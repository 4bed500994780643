/** Assembles sheets of thumbnails by sharp: each is placed unchanged at its position. */
import type { SheetGrid, TrickplayMaker } from '../../ports/trickplay-maker.ts'
import { loadSharp } from './sharp-pictures.ts'

const QUALITY = 65
const TIMEOUT_SECONDS = 60

export const makeSheet: TrickplayMaker['sheet'] = async (pictures, { columns, rows, width, height }: SheetGrid) => {
  const sharp = await loadSharp()
  const black = { width: columns * width, height: rows * height, channels: 3, background: '#000' } as const
  const tiles = pictures.slice(0, columns * rows).map((picture, place) => ({
    input: Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength),
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
