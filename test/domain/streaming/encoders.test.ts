/** The effects of a session's encoder on its segments. */
import t from 'tap'
import { needsOf } from '../../../src/app/streaming/agents/agent-protocol.ts'
import { HARDWARE_ENCODERS, isHardware } from '../../../src/domain/streaming/encoders.ts'
import { planStreams } from '../../../src/domain/streaming/plan.ts'
import { ENCODERS, encoderNamed, type Encoder } from '../../../src/vocabulary/encoder.ts'
import { mediaFile, times, video } from '../../fixtures/media-descriptions.ts'

const videoOf = (encoder: Encoder | undefined, media = mediaFile()) => planStreams(media, times(), encoder ? { encoder } : {}).video
const rungs = (encoder: Encoder | undefined, media = mediaFile()) => videoOf(encoder, media).filter(({ method }) => method === 'transcode')

t.test('video of different encoders has nothing in common but the film', async (t) => {
  const keys = ENCODERS.flatMap((encoder) => rungs(encoder).map(({ key }) => key))
  t.equal(new Set(keys).size, keys.length)
  for (const encoder of ENCODERS) {
    t.ok(rungs(encoder).every(({ output }) => output.type === 'encode-video' && output.encoder === encoder))
    t.strictSame(videoOf(encoder)[0], videoOf(undefined)[0], 'a copy is nobody’s')
    t.strictSame(planStreams(mediaFile(), times(), { encoder }).audio, planStreams(mediaFile(), times()).audio, 'nor is sound')
  }
})

t.test('a session from before there was a choice goes on with what was made for it', async (t) => {
  t.strictSame(videoOf(undefined), videoOf('x264'))
  t.match(rungs(undefined)[0]?.key, /^v0-x264-1920x1080-8000k-/)
})

t.test('each encoder is declared as what it writes', async (t) => {
  const codecs = ENCODERS.map((encoder) => [encoder, rungs(encoder).find(({ name }) => name === '720p')?.codec])
  t.strictSame(Object.fromEntries(codecs), {
    x264: 'avc1.64001f',
    nvenc: 'avc1.64001f',
    qsv: 'avc1.64001f',
    videotoolbox: 'avc1.64001f',
    vaapi: 'avc1.640c1f',
  })
})

t.test('hardware leaves a quarter of the work to the processor', async (t) => {
  const needs = (encoder: Encoder) => rungs(encoder).map(({ output }) => needsOf(output))
  t.match(needs('x264'), [{ encoder: 'x264', weight: 2 }, { weight: 1 }, { weight: 1 }])
  t.match(needs('nvenc'), [{ encoder: 'nvenc', weight: 0.5 }, { weight: 0.25 }, { weight: 0.25 }, { weight: 0.25 }])
})

t.test('with hardware a large film is begun larger, and with more to choose from', async (t) => {
  const large = mediaFile({ container: 'avi', video: [video({ width: 3840, height: 2160 })] })
  const names = (encoder: Encoder) => rungs(encoder, large).map(({ name }) => name)
  t.strictSame(names('x264'), ['1080p', '720p', '480p'])
  t.strictSame(names('nvenc'), ['1440p', '1080p', '720p', '480p'])
})

t.test('only what is named as an encoder is one', async (t) => {
  t.equal(encoderNamed('nvenc'), 'nvenc')
  for (const name of ['h264_nvenc', 'X264', '', undefined, ['nvenc'], { length: 1 }]) t.equal(encoderNamed(name), undefined)
  t.strictSame(
    ENCODERS.filter((encoder) => !isHardware(encoder)),
    ['x264'],
  )
  t.notOk(HARDWARE_ENCODERS.includes('x264'))
})
