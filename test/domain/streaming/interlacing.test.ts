import t from 'tap'
import { isInterlaced, mayBeInterlaced } from '../../../src/domain/streaming/interlacing.ts'
import { planStreams } from '../../../src/domain/streaming/plan.ts'
import { mediaFile, video } from '../../fixtures/media-descriptions.ts'

t.test('frames of codecs that flag their fields are deinterlaced, whatever the stream states', async (t) => {
  for (const codec of ['h264', 'mpeg2video', 'mpeg4', 'vc1', 'dvvideo', 'ffv1', 'prores'])
    t.ok(mayBeInterlaced(video({ codec, interlaced: false, pixelFormat: 'yuv420p' })), codec)
  for (const codec of ['hevc', 'vp9', 'av1', 'theora']) t.notOk(mayBeInterlaced(video({ codec, interlaced: false })), codec)
  t.ok(mayBeInterlaced(video({ codec: 'vp9', interlaced: true })))
})

t.test('frames are not converted for a deinterlacer that they hardly need', async (t) => {
  for (const pixelFormat of ['bgr0', 'pal8', 'rgb24', 'gbrp', 'yuv422p10be', null])
    t.notOk(mayBeInterlaced(video({ codec: 'ffv1', interlaced: false, pixelFormat })), String(pixelFormat))
  for (const pixelFormat of ['yuv411p', 'yuv422p10le', 'yuvj420p', 'gray'])
    t.ok(mayBeInterlaced(video({ codec: 'ffv1', interlaced: false, pixelFormat })), pixelFormat)
})

t.test('DV is interlaced without stating it, and a player that takes a codec still gets it if the stream does not state it', async (t) => {
  t.ok(isInterlaced(video({ codec: 'dvvideo', interlaced: false })))
  t.notOk(isInterlaced(video({ codec: 'mpeg4', interlaced: false })))
  const plan = planStreams(mediaFile({ video: [video({ interlaced: false })] }), undefined)
  t.notOk(plan.decision.reasons.includes('video-interlaced'))
  t.match(plan.video.at(-1)?.output, { type: 'encode-video', deinterlace: true })
})
