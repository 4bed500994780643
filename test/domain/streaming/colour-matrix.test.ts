import t from 'tap'
import { addedMatrix } from '../../../src/domain/streaming/colour-matrix.ts'
import { planStreams } from '../../../src/domain/streaming/plan.ts'
import { mediaFile, video } from '../../fixtures/media-descriptions.ts'

const UNSTATED = { colorSpace: null, colorPrimaries: null, colorTransfer: null } as const
const matrices = (changes: Parameters<typeof video>[0]) =>
  planStreams(mediaFile({ video: [video(changes)] }), undefined).video.map(({ output }) =>
    output.type === 'encode-video' ? output.matrix : null,
  )

t.test(
  'video of many lines that states no matrix is taken to have BT.709, in each quality, and that of few lines stays as it is',
  async (t) => {
    t.strictSame(new Set(matrices({ ...UNSTATED, width: 1280, height: 720 })), new Set(['bt709']))
    t.strictSame(new Set(matrices({ ...UNSTATED, width: 1024, height: 576 })), new Set([undefined]))
    t.equal(addedMatrix(video({ ...UNSTATED, colorRange: 'tv' })), 'bt709')
  },
)

t.test('RGB is converted to BT.709, whatever its size and whether it states that it is RGB', async (t) => {
  for (const pixelFormat of ['gbrp', 'bgr0', 'rgb24', 'rgba', 'argb', 'pal8', 'gbrp10le'])
    t.equal(addedMatrix(video({ pixelFormat, height: 240, colorSpace: null })), 'bt709', pixelFormat)
  t.equal(addedMatrix(video({ pixelFormat: 'gbrp', colorSpace: 'gbr', colorRange: 'pc' })), 'bt709')
})

t.test('nothing is assumed of video that states its matrix, has full range, or is tone-mapped', async (t) => {
  t.equal(addedMatrix(video()), undefined)
  t.equal(addedMatrix(video({ colorSpace: 'bt470bg', height: 1080 })), undefined)
  t.equal(addedMatrix(video({ ...UNSTATED, pixelFormat: 'yuvj420p', colorRange: 'pc' })), undefined)
  t.strictSame(new Set(matrices({ ...UNSTATED, colorTransfer: 'smpte2084', hdr: 'hdr10' })), new Set([undefined]))
})
