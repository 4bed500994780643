/** Pictures for tests: sound ones in odd forms, and broken and hostile ones, made here. */
import { deflateSync } from 'node:zlib'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'

/** A picture with a pattern, so that its parts can be told apart: red above, blue below. */
export const striped = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c02020' } }).composite([
    {
      input: { create: { width, height: Math.floor(height / 2), channels: 3, background: '#2020c0' } },
      left: 0,
      top: height - Math.floor(height / 2),
    },
  ])

export const jpeg = (width = 600, height = 900): Promise<Buffer> => striped(width, height).jpeg().toBuffer()

/** Like a photograph: it does not become small when it is compressed. */
export async function noisy(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  return sharp({ create: { width, height, channels: 3, background: '#000', noise } })
    .jpeg({ quality: 90 })
    .toBuffer()
}

export interface OddPicture {
  readonly bytes: Buffer
  /** As it is shown. */
  readonly width: number
  readonly height: number
}

/** Sound pictures as they are found, which must be shown. */
export async function oddPictures(): Promise<Readonly<Record<string, OddPicture>>> {
  const size = { width: 60, height: 90 }
  // Written down first: sharp lays pictures over each other last, whatever was asked for before.
  const pattern = await striped(size.width, size.height).png().toBuffer()
  const plain = () => sharp(pattern)
  const frames = [pattern, await plain().negate().png().toBuffer()]
  return {
    'a progressive JPEG': { ...size, bytes: await plain().jpeg({ progressive: true }).toBuffer() },
    'a JPEG for print, in CMYK': {
      ...size,
      bytes: await sharp(await plain().png().toBuffer())
        .toColourspace('cmyk')
        .jpeg()
        .toBuffer(),
    },
    'a JPEG in grey': { ...size, bytes: await plain().greyscale().jpeg().toBuffer() },
    'a JPEG that was taken sideways': { width: 90, height: 60, bytes: await plain().withMetadata({ orientation: 6 }).jpeg().toBuffer() },
    'a PNG with 16 bits a channel': { ...size, bytes: await plain().toColourspace('rgb16').png().toBuffer() },
    'an interlaced PNG': { ...size, bytes: await plain().png({ progressive: true }).toBuffer() },
    'a PNG with a palette': { ...size, bytes: await plain().png({ palette: true }).toBuffer() },
    'a PNG that shines through': {
      ...size,
      bytes: await sharp({ create: { ...size, channels: 4, background: '#c0202080' } })
        .png()
        .toBuffer(),
    },
    'a WebP that moves': {
      ...size,
      bytes: await sharp(frames, { join: { animated: true } })
        .webp({ delay: [100, 100] })
        .toBuffer(),
    },
    'a PNG of Display P3': { ...size, bytes: await plain().withIccProfile('p3').png().toBuffer() },
    'a JPEG with something behind its end': { ...size, bytes: Buffer.concat([await plain().jpeg().toBuffer(), Buffer.from('<svg/>')]) },
    'one pixel': { width: 1, height: 1, bytes: await striped(1, 2).extract({ left: 0, top: 0, width: 1, height: 1 }).png().toBuffer() },
  }
}

/** What is found under the name of a picture and must cost nothing. */
export async function badPictures(): Promise<Readonly<Record<string, Buffer>>> {
  const photo = await noisy(600, 900)
  const png = await sharp(photo).png().toBuffer()
  const webp = await sharp(photo).webp().toBuffer()
  const half = (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)
  return {
    'no bytes': Buffer.alloc(0),
    'one byte': Buffer.from([0xff]),
    'a text': Buffer.from('This is no picture.'),
    'an SVG': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
    'an SVG behind the head of a JPEG': Buffer.concat([
      Buffer.from('ffd8ffe0', 'hex'),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    ]),
    'a GIF': await striped(20, 20).gif().toBuffer(),
    'a TIFF': await striped(20, 20).tiff().toBuffer(),
    'half a JPEG': half(photo),
    'half a PNG': half(png),
    'half a WebP': half(webp),
    'the head of a JPEG alone': photo.subarray(0, 400),
    'the head of a PNG alone': png.subarray(0, 33),
    'a PNG that says it has 60,000 x 60,000 pixels': pngBomb(60_000, 60_000),
    'a PNG that says it has 2,147,483,647 x 2,147,483,647 pixels': pngBomb(0x7fffffff, 0x7fffffff),
    'a PNG of 144 million pixels in 150 kB': await sharp({
      create: { width: 12_000, height: 12_000, channels: 3, background: '#000' },
      limitInputPixels: false,
    })
      .png()
      .toBuffer(),
    'a PNG without its middle': Buffer.concat([png.subarray(0, 200), png.subarray(png.length - 200)]),
    'a JPEG of which every fiftieth byte is another': Buffer.from(
      photo.map((byte, at) => (at > 700 && at % 50 === 0 ? byte ^ 0x5a : byte)),
    ),
  }
}

/** A PNG whose header promises so many pixels, with data that unpacks to a thousand times its size. */
export function pngBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const data = deflateSync(Buffer.alloc(10_000_000))
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
