import sharp, { type Region, type Sharp } from 'sharp'
import t from 'tap'
import { createSharpImageMaker } from '../../../src/adapters/sharp/sharp-image-maker.ts'
import { BadImage, type Making } from '../../../src/ports/image-maker.ts'
import type { Size } from '../../../src/vocabulary/image-box.ts'
import { badImages, jpeg, noisy, oddImages, striped } from '../../fixtures/images.ts'

// Made first: the adapter disables the other image formats for the whole process.
const odd = await oddImages()
const bad = await badImages()
const profiled = await striped(60, 90)
  .withExif({ IFD0: { Copyright: 'Somebody', ImageDescription: 'At home' } })
  .withIccProfile('p3')
  .jpeg()
  .toBuffer()
const maker = createSharpImageMaker()
/** The size of the odd images. */
const SIZE = { width: 60, height: 90 }
const WHOLE = { box: { ...SIZE, fit: 'cover' }, form: 'image/png', quality: 80 } as const
/** Bytes of an image in this size. */
const madeOf = async (bytes: Uint8Array, size: Size, making: Partial<Making> = {}) =>
  (await maker.make(bytes, { ...WHOLE, box: { ...size, fit: 'cover' }, ...making })).bytes

t.test('an image is made in each size and form', async (t) => {
  const bytes = await jpeg(600, 900)
  for (const [form, format] of [
    ['image/jpeg', 'jpeg'],
    ['image/png', 'png'],
    ['image/webp', 'webp'],
  ] as const) {
    const made = await madeOf(bytes, { width: 320, height: 480 }, { form })
    t.match(await sharp(made).metadata(), { width: 320, height: 480, format }, format)
  }
  const square = await madeOf(bytes, { width: 300, height: 300 })
  t.strictSame(await colorsOf(square), ['red', 'blue'], 'the middle of it')
})

t.test('quality counts', async (t) => {
  const photo = await noisy(300, 450)
  const sizes = await Promise.all(
    [40, 60, 80, 95].map(async (quality) => (await madeOf(photo, { width: 300, height: 450 }, { form: 'image/webp', quality })).byteLength),
  )
  t.strictSame(
    sizes.toSorted((a, b) => a - b),
    sizes,
  )
})

for (const [what, { bytes, ...size }] of Object.entries(odd)) {
  t.test(`${what} comes out upright, in sRGB, with 8 bits and one frame`, async (t) => {
    const made = await madeOf(bytes, size)
    const { pages = 1, depth, space, ...facts } = await sharp(made).metadata()
    t.match({ pages, depth, width: facts.width, height: facts.height }, { pages: 1, depth: 'uchar', ...size })
    t.ok(space === 'srgb' || space === 'b-w', space)
  })
}

t.test('an image taken sideways is rotated, and does not only keep its orientation tag', async (t) => {
  const turned = odd['a JPEG that was taken sideways']
  const made = await madeOf(turned?.bytes ?? Buffer.alloc(0), { width: 90, height: 60 })
  const left = await statsOf(made, { left: 10, top: 10, width: 10, height: 40 })
  t.ok((left.channels[2]?.mean ?? 0) > 150, 'what was below is on the left')
})

t.test('what shines through stays so, and is black where the form knows none of it', async (t) => {
  const glass = odd['a PNG that shines through']?.bytes ?? Buffer.alloc(0)
  for (const form of ['image/png', 'image/webp'] as const)
    t.equal((await sharp(await madeOf(glass, SIZE, { form })).metadata()).hasAlpha, true)
  t.equal((await sharp(await madeOf(glass, SIZE, { form: 'image/jpeg' })).metadata()).hasAlpha, false)
  t.equal((await maker.make(glass, { ...WHOLE, form: 'plain' })).type, 'image/png')
  t.equal((await maker.make(await jpeg(60, 90), { ...WHOLE, form: 'plain' })).type, 'image/jpeg')
})

t.test('no metadata of an image remains', async (t) => {
  t.match(await sharp(profiled).metadata(), { exif: Buffer, icc: Buffer })
  for (const form of ['image/jpeg', 'image/png', 'image/webp'] as const) {
    const made = await madeOf(profiled, SIZE, { form })
    t.match(await sharp(made).metadata(), { exif: undefined, icc: undefined, xmp: undefined, iptc: undefined }, form)
    t.notMatch(Buffer.from(made).toString('latin1'), /Somebody|At home/)
  }
})

for (const [what, bytes] of Object.entries(bad)) {
  t.test(`${what} is refused, soon and for little memory`, async (t) => {
    const before = process.memoryUsage.rss()
    const startMs = process.cpuUsage().user
    const making = madeOf(bytes, SIZE)
    if (what.includes('fiftieth')) {
      await making.then(
        (made) => t.ok(made.byteLength > 0, 'what can be seen of it is shown'),
        (cause: unknown) => t.ok(cause instanceof BadImage),
      )
    } else await t.rejects(making, BadImage)
    t.ok(process.memoryUsage.rss() - before < 150e6, `${((process.memoryUsage.rss() - before) / 1e6).toFixed(0)} MB more`)
    t.ok((process.cpuUsage().user - startMs) / 1000 < 3000, `${((process.cpuUsage().user - startMs) / 1000).toFixed(0)} ms of CPU`)
  })
}

t.test('the tint of an image is the mean of its colours', async (t) => {
  const tint = async (image: Sharp) => channelsOf(await maker.tint(await image.jpeg({ quality: 100 }).toBuffer()))
  const red = await tint(sharp({ create: { width: 600, height: 900, channels: 3, background: '#c02020' } }))
  t.ok(isNear(red, [0xc0, 0x20, 0x20]), red.join())
  const half = await tint(striped(600, 900))
  t.ok(isNear(half, [0x70, 0x20, 0x70]), `red above, blue below: ${half.join()}`)
  const grey = sharp({ create: { width: 60, height: 90, channels: 3, background: '#808080' } }).toColourspace('b-w')
  t.ok(isNear(await tint(grey), [128, 128, 128]), 'an image in grey has one channel')
  const clear = sharp({ create: { width: 60, height: 90, channels: 4, background: '#ffffff80' } }).png()
  t.ok(isNear(channelsOf(await maker.tint(await clear.toBuffer())), [128, 128, 128]), 'black shines through')
  for (const [what, { bytes }] of Object.entries(odd)) t.match(await maker.tint(bytes), /^#[0-9a-f]{6}$/, what)
  for (const what of ['no bytes', 'an SVG', 'half a JPEG', 'a GIF'])
    await t.rejects(maker.tint(bad[what] ?? Buffer.alloc(0)), BadImage, what)
})

const channelsOf = (tint: string): readonly number[] => [1, 3, 5].map((at) => Number.parseInt(tint.slice(at, at + 2), 16))
const isNear = (a: readonly number[], b: readonly number[]): boolean => a.every((value, at) => Math.abs(value - (b[at] ?? 0)) <= 4)

t.test('a neutral image is one', async (t) => {
  const blank = await maker.blank({ width: 640, height: 960 })
  t.match(await sharp(blank).metadata(), { width: 640, height: 960, hasAlpha: false })
})

/** Statistics of the extracted part: called directly, sharp would use the whole image. */
const statsOf = async (bytes: Uint8Array, part: Region) => sharp(await sharp(bytes).extract(part).png().toBuffer()).stats()

async function colorsOf(bytes: Uint8Array): Promise<string[]> {
  const { width, height } = await sharp(bytes).metadata()
  const halves = [0, Math.floor(height / 2) + 2].map((top) => ({ left: 0, top, width, height: Math.floor(height / 2) - 4 }))
  return Promise.all(
    halves.map(async (half) => {
      const { channels } = await statsOf(bytes, half)
      return (channels[0]?.mean ?? 0) > (channels[2]?.mean ?? 0) ? 'red' : 'blue'
    }),
  )
}
