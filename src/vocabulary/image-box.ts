/** The box into which an image is made smaller. */

export interface Size {
  readonly width: number
  readonly height: number
}

export type Fit = 'cover' | 'contain'

/** A null side is that of the largest images which are made. */
export interface ImageBox {
  readonly width: number | null
  readonly height: number | null
  readonly fit: Fit
}

export const SIDE_MAX = 3840

/** The size of an image in a box: contained in it, or covering it. A smaller image keeps as much of the box's aspect ratio as it can. */
export function sizeIn({ width, height, fit }: ImageBox, image: Size): Size {
  const box = { width: width ?? SIDE_MAX, height: height ?? SIDE_MAX }
  const [across, down] = [box.width / image.width, box.height / image.height]
  return fit === 'cover' ? scaled(box, Math.min(1, 1 / across, 1 / down)) : scaled(image, Math.min(1, across, down))
}

const scaled = ({ width, height }: Size, scale: number): Size => ({ width: pixels(width * scale), height: pixels(height * scale) })
const pixels = (length: number) => Math.max(1, Math.round(length))
