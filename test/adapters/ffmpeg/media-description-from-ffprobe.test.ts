import t from 'tap'
import type { FfprobeOutput, FfprobeStream } from '../../../src/adapters/ffmpeg/ffprobe-output.ts'
import { durationMsOf, mediaDescriptionFromFfprobe, shownEndMsOf } from '../../../src/adapters/ffmpeg/media-description-from-ffprobe.ts'

const file = { name: 'film.mkv', head: new Uint8Array(), durationMs: 1 }
const describe = (output: FfprobeOutput, more: Partial<typeof file> = {}) => mediaDescriptionFromFfprobe(output, { ...file, ...more })
const video = (stream: Partial<FfprobeStream>) =>
  describe({ streams: [{ index: 0, codec_type: 'video', codec_name: 'h264', ...stream }] }).video[0]
const ebml = (doctype: string): Uint8Array =>
  Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x42, 0x82, 0x80 + doctype.length]), Buffer.from(doctype)])

t.test('containers have short names; WebM is distinguished from Matroska by its header, else by its name', async (t) => {
  const container = (name: string, more = {}) => describe({ format: { format_name: name } }, more).container
  const plain = { 'mov,mp4,m4a,3gp,3g2,mj2': 'mp4', avi: 'avi', mpeg: 'mpeg', mpegts: 'mpegts', ogg: 'ogg', asf: 'asf', flv: 'flv' }
  for (const [name, expected] of Object.entries(plain)) t.equal(container(name), expected)
  t.equal(container('matroska,webm', { head: ebml('webm') }), 'webm')
  t.equal(container('matroska,webm', { head: ebml('matroska'), name: 'film.webm' }), 'matroska')
  t.equal(container('matroska,webm', { name: 'film.WEBM' }), 'webm')
  t.equal(container('matroska,webm'), 'matroska')
})

t.test('rotation is clockwise in quarter turns, from the display matrix or the old tag', async (t) => {
  const turned = (rotation: number) => video({ side_data_list: [{ side_data_type: 'Display Matrix', rotation }] })?.rotation
  for (const [matrix, expected] of [
    [-90, 90],
    [90, 270],
    [180, 180],
    [-180, 180],
    [0, 0],
    [-89, 90],
    [-450, 90],
  ] as const)
    t.equal(turned(matrix), expected)
  t.equal(video({ tags: { rotate: '270' } })?.rotation, 270)
  t.equal(video({ tags: { rotate: 'left' } })?.rotation, 0)
})

t.test('bit depth comes from the pixel format, else from the codec, else it is 8', async (t) => {
  const depths = {
    yuv420p: 8,
    yuvj420p: 8,
    nv12: 8,
    rgb24: 8,
    yuv420p9le: 9,
    yuv420p10le: 10,
    p010le: 10,
    yuv444p12le: 12,
    gray10le: 10,
    p016le: 16,
  }
  for (const [format, depth] of Object.entries(depths)) t.equal(video({ pix_fmt: format })?.bitDepth, depth, format)
  t.equal(video({ bits_per_raw_sample: '10' })?.bitDepth, 10)
  t.equal(video({})?.bitDepth, 8)
})

t.test('HDR is recognised by the transfer function and the Dolby Vision record', async (t) => {
  t.equal(video({ color_transfer: 'smpte2084' })?.hdr, 'hdr10')
  t.equal(video({ color_transfer: 'arib-std-b67' })?.hdr, 'hlg')
  t.equal(video({ color_transfer: 'smpte2084', side_data_list: [{ side_data_type: 'DOVI configuration record' }] })?.hdr, 'dolby-vision')
  t.equal(video({ color_transfer: 'bt709' })?.hdr, null)
})

t.test('the Dolby Vision record contains profile, level, base layer and whether there is a second layer', async (t) => {
  const record = { side_data_type: 'DOVI configuration record', dv_profile: 8, dv_level: 6, dv_bl_signal_compatibility_id: 1 }
  const told = (more: object) =>
    video({
      side_data_list: [
        { side_data_type: 'Display Matrix', rotation: 0 },
        { ...record, ...more },
      ],
    })
  t.strictSame(told({ el_present_flag: 0 })?.dolbyVision, { profile: 8, level: 6, compatibilityId: 1 })
  t.strictSame(told({ dv_profile: 7, dv_bl_signal_compatibility_id: 6, el_present_flag: 1 })?.dolbyVision, {
    profile: 7,
    level: 6,
    compatibilityId: 6,
    enhancementLayer: true,
  })
  t.notOk('dolbyVision' in (video({}) ?? {}), 'films without it say nothing')
})

t.test('the range of a video is reported if the file contains it', async (t) => {
  t.equal(video({ color_range: 'pc' })?.colorRange, 'pc')
  t.equal(video({ color_range: 'tv' })?.colorRange, 'tv')
  t.notOk('colorRange' in (video({ color_range: 'unknown' }) ?? {}))
})

t.test('a frame rate is the average one, unless there is none or it is the clock of the container', async (t) => {
  t.match(video({ avg_frame_rate: '24000/1001', r_frame_rate: '48/1' }), { frameRate: 23.976, frameRateFraction: '24000/1001' })
  t.match(video({ avg_frame_rate: '0/0', r_frame_rate: '25/1' }), { frameRate: 25, frameRateFraction: '25/1' })
  t.match(video({ avg_frame_rate: '0/0', r_frame_rate: '90000/1' }), { frameRate: null, frameRateFraction: null })
})

t.test('what ffprobe does not know is null, and an aspect that it does not know is square', async (t) => {
  const unknown = { profile: 'unknown', level: -99, pix_fmt: 'unknown', color_transfer: 'unknown', sample_aspect_ratio: '0:1' }
  t.match(video(unknown), { profile: null, level: null, pixelFormat: null, colorTransfer: null, sampleAspect: '1:1', bitrateBps: null })
  t.equal(video({ sample_aspect_ratio: '64:45' })?.sampleAspect, '64:45')
})

t.test('covers and thumbnails are no video tracks', async (t) => {
  const stream = { codec_type: 'video', codec_name: 'mjpeg' }
  const { video } = describe({
    streams: [
      { index: 0, ...stream, disposition: { attached_pic: 1 } },
      { index: 1, ...stream, disposition: { timed_thumbnails: 1 } },
      { index: 2, ...stream, codec_name: 'h264' },
    ],
  })
  t.strictSame(
    video.map((track) => track.stream),
    [2],
  )
})

t.test('languages take their shortest form, and those that say nothing are null', async (t) => {
  const languages = {
    ger: 'de',
    deu: 'de',
    eng: 'en',
    'pt-br': 'pt-BR',
    por: 'pt',
    chi: 'zh',
    'zh-Hant': 'zh-Hant',
    fil: 'fil',
    und: null,
    mul: null,
    '': null,
    'x y': null,
  }
  for (const [language, expected] of Object.entries(languages)) {
    const { audio } = describe({ streams: [{ index: 1, codec_type: 'audio', tags: { language } }] })
    t.equal(audio[0]?.language, expected, language)
  }
})

t.test('a container says how long it is, or else its longest stream', async (t) => {
  const streams = [
    { index: 0, codec_type: 'video', duration: '5.5' },
    { index: 1, codec_type: 'audio', duration: '6.25' },
  ]
  t.equal(durationMsOf({ format: { duration: '7.0004' }, streams }), 7000)
  t.equal(durationMsOf({ format: {}, streams }), 6250)
  t.equal(durationMsOf({ streams: [{ index: 0, duration: 'N/A' }] }), null)
})

t.test('video and audio end where tags or durations state it for each track', async (t) => {
  const video = { index: 0, codec_type: 'video' }
  const audio = { index: 1, codec_type: 'audio' }
  const subtitle = { index: 2, codec_type: 'subtitle', duration: '32400', tags: { DURATION: '09:00:00.000000000' } }
  const cover = { index: 3, codec_type: 'video', duration: '30', disposition: { attached_pic: 1 } }
  const endOf = (...streams: readonly FfprobeStream[]) => shownEndMsOf({ format: { duration: '32400' }, streams })
  const tagged = { ...video, duration: '32400', tags: { DURATION: '01:00:08.021000000' } }
  t.equal(endOf(tagged, { ...audio, tags: { 'DURATION-eng': '01:00:07.5' } }, subtitle, cover), 3_608_021)
  t.equal(endOf({ ...video, start_time: '0.080000', duration: '8' }, { ...audio, duration: '8.021' }, subtitle, cover), 8080)
  t.equal(endOf(tagged, audio, subtitle), null, 'the audio may be longer')
  t.equal(endOf(tagged, { ...audio, tags: { DURATION: 'long' } }), null)
  t.equal(endOf(subtitle, cover), null)
})

t.test('a file with thousands of tracks, chapters and letters gives a bounded description', async (t) => {
  const streams = Array.from({ length: 5000 }, (_, index) => ({ index, codec_type: 'subtitle', tags: { title: 'x'.repeat(5000) } }))
  const chapters = Array.from({ length: 50_000 }, (_, index) => ({ start_time: String(index), tags: { title: 'y'.repeat(5000) } }))
  const text = JSON.stringify(describe({ streams, chapters }))
  t.ok(text.length < 900_000, `${text.length} characters`)
})
