import t from 'tap'
import { resolutionOf, type Resolution } from '../../src/vocabulary/resolution.ts'

const SIZES: readonly (readonly [width: number, height: number, is: Resolution, why: string])[] = [
  [426, 240, '240p', 'the box itself'],
  [320, 240, '240p', '4:3'],
  [432, 244, '240p', 'within 2 %'],
  [244, 432, '240p', 'within 2 %, upright'],
  [435, 240, '360p', 'beyond 2 %'],
  [640, 360, '360p', 'the box itself'],
  [640, 272, '360p', 'wide screen: the width decides'],
  [640, 480, '480p', 'higher than 360 lines'],
  [800, 332, '480p', 'wide screen between two classes'],
  [854, 480, '480p', 'the box itself'],
  [720, 480, '480p', 'NTSC'],
  [720, 576, '480p', 'PAL'],
  [576, 720, '480p', 'PAL, upright'],
  [768, 576, '720p', 'square PAL is wider than its box'],
  [1280, 536, '720p', 'wide screen'],
  [1280, 720, '720p', 'the box itself'],
  [960, 720, '720p', '4:3'],
  [1920, 1038, '1080p', 'wide screen'],
  [1920, 800, '1080p', 'wide screen'],
  [1440, 1080, '1080p', 'anamorphic'],
  [1920, 1088, '1080p', 'whole macroblocks'],
  [1080, 1920, '1080p', 'a telephone held upright'],
  [2048, 1080, '1440p', 'a cinema’s 2K'],
  [2560, 1440, '1440p', 'the box itself'],
  [3840, 1600, '2160p', 'wide screen'],
  [4096, 2160, '2160p', 'larger than the largest box'],
  [7680, 4320, '2160p', 'larger than the largest box'],
]

t.test('a picture belongs to the smallest class whose box holds it within 2 %, turned to landscape', async (t) => {
  for (const [width, height, is, why] of SIZES) t.equal(resolutionOf(width, height), is, `${width}x${height}: ${why}`)
})
