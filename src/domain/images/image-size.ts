/**
 * Chooses the sizes of resized images: sides and qualities come from short lists, so that requests lead to few variants of an image, and
 * nothing is ever scaled up.
 */

import { SIDE_MAX, type Fit, type ImageBox } from '../../vocabulary/image-box.ts'

export interface ImageOptions {
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly fit: Fit
  /** 1 to 100. */
  readonly quality?: number | undefined
}

/** Steps of about 3:4 or 2:3, so that no image has much more than twice the requested pixels. */
export const SIDES = [96, 160, 240, 320, 480, 640, 800, 960, 1280, 1600, 1920, 2560, 3840] as const
export const QUALITIES = [40, 60, 80, 95] as const
const QUALITY_MAX = 95
const QUALITY = 80

/** Aspect ratios of posters, images and screens. A box that is close to one of them keeps that ratio when it is rounded up. */
const SHAPES = [2 / 3, 3 / 4, 9 / 16, 1, 16 / 9, 4 / 3, 3 / 2] as const
const NEARLY = 0.03

export function boxOf({ width, height, fit }: ImageOptions): ImageBox {
  if (width === undefined || height === undefined) return { width: rounded(width), height: rounded(height), fit: 'contain' }
  const shape = SHAPES.find((one) => Math.abs(width / height / one - 1) <= NEARLY)
  if (shape === undefined) return { width: sideOf(width), height: sideOf(height), fit }
  const long = sideOf(Math.max(width, height))
  return shape > 1 ? { width: long, height: Math.round(long / shape), fit } : { width: Math.round(long * shape), height: long, fit }
}

export const qualityOf = ({ quality = QUALITY }: Pick<ImageOptions, 'quality'>): number =>
  QUALITIES.find((step) => step >= quality) ?? QUALITY_MAX

const rounded = (side: number | undefined) => (side === undefined ? null : sideOf(side))
const sideOf = (asked: number): number => SIDES.find((side) => side >= asked) ?? SIDE_MAX
