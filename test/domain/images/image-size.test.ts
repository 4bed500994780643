import t from 'tap'
import { boxOf, qualityOf, SIDES } from '../../../src/domain/images/image-size.ts'
import { sizeIn } from '../../../src/vocabulary/image-box.ts'

t.test('what is asked for is rounded up to one of a few sides', async (t) => {
  for (const [asked, side] of [
    [1, 96],
    [96, 96],
    [97, 160],
    [300, 320],
    [1281, 1600],
    [3840, 3840],
  ] as const) {
    t.strictSame(boxOf({ width: asked, fit: 'cover' }), { width: side, height: null, fit: 'contain' }, `width ${asked}`)
    t.strictSame(boxOf({ height: asked, fit: 'cover' }), { width: null, height: side, fit: 'contain' }, `height ${asked}`)
  }
  t.strictSame(boxOf({ fit: 'cover' }), { width: null, height: null, fit: 'contain' })
})

t.test('a box of a usual shape keeps it, and is never smaller than what was asked for by more than its rounding', async (t) => {
  for (const [width, height, made] of [
    [300, 450, '320x480'],
    [342, 513, '427x640'],
    [1280, 720, '1280x720'],
    [1000, 563, '1280x720'],
    [500, 500, '640x640'],
    [2560, 3840, '2560x3840'],
    [3840, 2160, '3840x2160'],
    [1000, 100, '1280x160'],
  ] as const) {
    const box = boxOf({ width, height, fit: 'cover' })
    t.equal(`${box.width}x${box.height}`, made, `${width}x${height}`)
  }
})

t.test('all that can be asked for makes few boxes, none of them too large', async (t) => {
  const boxes = new Set<string>()
  for (let width = 1; width <= 3840; width += 7)
    for (let height = 1; height <= 3840; height += 7) {
      const box = boxOf({ width, height, fit: 'cover' })
      boxes.add(`${box.width}x${box.height}`)
      if ((box.width ?? 0) > 3840 || (box.height ?? 0) > 3840) t.fail(`${width}x${height} makes ${box.width}x${box.height}`)
    }
  t.ok(boxes.size <= SIDES.length ** 2 + 7 * SIDES.length, `${boxes.size} boxes`)
})

t.test('an image is whole in its box or fills it, and is never scaled up', async (t) => {
  const poster = { width: 1000, height: 1500 }
  const cases = [
    [{ width: 320, height: null, fit: 'contain' }, '320x480'],
    [{ width: null, height: 480, fit: 'contain' }, '320x480'],
    [{ width: 640, height: 640, fit: 'contain' }, '427x640'],
    [{ width: 640, height: 640, fit: 'cover' }, '640x640'],
    [{ width: 1920, height: null, fit: 'contain' }, '1000x1500'],
    [{ width: 3840, height: 3840, fit: 'contain' }, '1000x1500'],
    [{ width: 1920, height: 1080, fit: 'cover' }, '1000x563'],
    [{ width: 2560, height: 3840, fit: 'cover' }, '1000x1500'],
    [{ width: null, height: null, fit: 'contain' }, '1000x1500'],
  ] as const
  for (const [box, made] of cases) {
    const { width, height } = sizeIn(box, poster)
    t.equal(`${width}x${height}`, made, JSON.stringify(box))
  }
  t.strictSame(sizeIn({ width: null, height: null, fit: 'contain' }, { width: 5000, height: 8000 }), { width: 2400, height: 3840 })
  t.strictSame(sizeIn({ width: 96, height: null, fit: 'contain' }, { width: 1, height: 50_000 }), { width: 1, height: 3840 }, 'a thread')
})

t.test('quality is rounded up to one of four', async (t) => {
  t.strictSame(
    [undefined, 1, 40, 41, 80, 81, 100].map((quality) => qualityOf({ quality })),
    [80, 40, 40, 60, 80, 95, 95],
  )
})
