/**
 * Image maker by sharp (libvips), loaded with the first image. Only its loaders of JPEG, PNG and WebP from memory are enabled: no SVG
 * with its links, no file named by an image.
 */
import { availableParallelism } from 'node:os'
import type sharpModule from 'sharp'
import type { Sharp, SharpOptions } from 'sharp'
import { BadImage, type ImageMaker, type ImageType, type MadeImage, type Making } from '../../ports/image-maker.ts'
import { sizeIn, type Size } from '../../vocabulary/image-box.ts'

type LoadedSharp = typeof sharpModule

/**
 * Limit for one image. A full photograph of a telephone or a poster scanned at 600 dots an inch has about 50 million, artwork of the
 * catalogues at most 8. 50 million in the worst form (an interlaced PNG) were measured to take 175 MB and two seconds.
 */
const PIXELS_MAX = 50_000_000
const TIMEOUT_SECONDS = 20
/** libvips works on the four threads of the process. */
const AT_ONCE_MAX = 3
export const atOnce = Math.min(AT_ONCE_MAX, availableParallelism())
const READERS = ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer']

const INPUT: SharpOptions = {
  // Accepts images that a browser would show with warnings; rejects truncated and undecodable ones.
  failOn: 'error',
  limitInputPixels: PIXELS_MAX,
  // Row by row if the format allows it, which needs memory for a few rows only.
  sequentialRead: true,
  animated: false,
}

const PAPER = '#24262b'
const LINES = '#3a3d44'

export function createSharpImageMaker(): ImageMaker {
  return {
    atOnce,
    make: async (bytes, making) => judged(await loadSharp(), (sharp) => made(sharp(bytes, INPUT), making)),
    tint: async (bytes) => judged(await loadSharp(), (sharp) => tintOf(sharp(bytes, INPUT))),
    blank: async (size) => blankBy(await loadSharp(), size),
  }
}

let loading: Promise<LoadedSharp> | undefined

/** Once for the whole process, with only the loaders above: blocking again would briefly disable them during running work. */
export const loadSharp = (): Promise<LoadedSharp> => (loading ??= load())

async function load(): Promise<LoadedSharp> {
  const { default: sharp } = await import('sharp')
  // Results are kept as files, so libvips need not cache its operations.
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: READERS })
  return sharp
}

async function made(image: Sharp, { box, form, quality }: Making): Promise<MadeImage> {
  const { autoOrient, hasAlpha } = await image.metadata()
  if (autoOrient.width * autoOrient.height > PIXELS_MAX) throw new BadImage('It has too many pixels')
  const plain = hasAlpha ? 'image/png' : 'image/jpeg'
  const type = form === 'plain' ? plain : form
  const size = { ...sizeIn(box, autoOrient), fit: 'cover' } as const
  const sized = image.timeout({ seconds: TIMEOUT_SECONDS }).autoOrient().resize(size).toColourspace('srgb')
  return { type, bytes: await written(sized, type, quality).toBuffer() }
}

function written(image: Sharp, type: ImageType, quality: number): Sharp {
  if (type === 'image/png') return image.png({ compressionLevel: 6 })
  if (type === 'image/webp') return image.webp({ quality, effort: 3 })
  // Artwork with transparency is made for dark backgrounds.
  return image.flatten({ background: '#000' }).jpeg({ quality })
}

/** So small that a JPEG is decoded at an eighth of its size. */
const TINT_PIXELS = { width: 16, height: 16, fit: 'fill' } as const

async function tintOf(image: Sharp): Promise<string> {
  const small = image.timeout({ seconds: TIMEOUT_SECONDS }).flatten({ background: '#000' }).resize(TINT_PIXELS).toColourspace('srgb')
  const { data, info } = await small.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const sums = [0, 0, 0]
  for (let at = 0; at < data.length; at += info.channels) {
    for (const channel of [0, 1, 2]) sums[channel] = (sums[channel] ?? 0) + (data[at + (info.channels < 3 ? 0 : channel)] ?? 0)
  }
  const pixels = data.length / info.channels
  return `#${sums
    .map((sum) =>
      Math.round(sum / pixels)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

async function judged<T>(sharp: LoadedSharp, work: (sharp: LoadedSharp) => Promise<T>): Promise<T> {
  try {
    return await work(sharp)
  } catch (cause) {
    throw cause instanceof BadImage ? cause : new BadImage('The image cannot be decoded', { cause })
  }
}

/** A dark background with a strip of film on it. */
function blankBy(sharp: LoadedSharp, { width, height }: Size): Promise<Uint8Array> {
  const unit = Math.max(1, Math.round(Math.min(width, height) / 24))
  const block = ({ x, y, w, h, background }: Block) => ({
    input: { create: { width: w * unit, height: h * unit, channels: 3, background } as const },
    left: Math.round(width / 2 + (x + 0.5) * unit),
    top: Math.round(height / 2) + y * unit,
  })
  const holes = [-5, -3, -1, 1, 3].flatMap((x) => [-4, 3].map((y) => ({ x, y, w: 1, h: 1, background: PAPER })))
  const strip = { x: -6, y: -5, w: 11, h: 10, background: LINES }
  const frame = { x: -5, y: -2, w: 9, h: 4, background: PAPER }
  const paper = { create: { width, height, channels: 3, background: PAPER } as const }
  return sharp(paper)
    .composite([strip, frame, ...holes].map(block))
    .removeAlpha()
    .png()
    .toBuffer()
}

/** In units, from the middle. */
interface Block {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  readonly background: string
}
