import { execa } from 'execa'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { createLoudness } from '../../../src/adapters/ffmpeg/loudness.ts'
import { loudnessFromJson } from '../../../src/adapters/ffmpeg/loudness-texts.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { mediaFfmpeg } from '../../../src/wiring/media-ffmpeg.ts'
import type { LoudMediaFile } from '../../../src/ports/loudness.ts'
import { audio } from '../../fixtures/media-descriptions.ts'
import { bothFfmpegs } from '../tones.ts'

const folder = mkdtempSync(join(tmpdir(), 'marquee-loudness-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const FINGERPRINT = 'ab'.repeat(32)
const soon = () => AbortSignal.timeout(60_000)

const open = (ffmpeg: string, kept = join(folder, `kept-${ffmpeg.length}`)) =>
  createLoudness({ clock: createSystemClock(), folder: kept, start: mediaFfmpeg(ffmpeg) })

/** EBU Tech 3341, case 1: a sine of 1 kHz at -23 dBFS in both channels is -23 LUFS. In the centre of 5.1 alone it is 3 softer. */
async function mediaFile(ffmpeg: string): Promise<LoudMediaFile> {
  const path = join(folder, 'film.mkv')
  const sine = `${10 ** (-23 / 20)}*sin(2*PI*1000*t)`
  const sound = (channels: string, layout: string) => ['-f', 'lavfi', '-i', `aevalsrc=${channels}:c=${layout}:s=48000:d=8`]
  const inputs = [
    ...sound(`${sine}|${sine}`, 'stereo'),
    ...sound(sine, 'mono'),
    ...sound(`0|0|${sine}|0|0|0`, '5.1'),
    ...sound('0|0', 'stereo'),
  ]
  const maps = [0, 1, 2, 3].flatMap((input) => ['-map', `${input}:0`])
  await execa(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...inputs, ...maps, '-c:a', 'flac', path], { timeout: 60_000 })
  const tracks = [
    audio({ stream: 0 }),
    audio({ stream: 1, channels: 1, channelLayout: 'mono' }),
    audio({ stream: 2, channels: 6, channelLayout: '5.1' }),
    audio({ stream: 3 }),
  ]
  return { path, fingerprint: FINGERPRINT, bitrateBps: null, audio: tracks }
}

const near = (found: number | undefined, wanted: number): boolean => found !== undefined && Math.abs(found - wanted) <= 0.2

t.test('each track is measured as players get it, once, and kept', async (t) => {
  for (const ffmpeg of await bothFfmpegs()) {
    const loudness = open(ffmpeg)
    const loud = await mediaFile(ffmpeg)
    t.equal(await loudness.kept(FINGERPRINT), undefined)
    const tracks = await loudness.measure(loud, soon())
    const [stereo, mono, surround, silent] = tracks ?? []
    t.strictSame([stereo?.stream, mono?.stream, surround?.stream, silent?.stream], [0, 1, 2, 3])
    t.ok(near(stereo?.stereo.loudnessLufs, -23) && near(stereo?.stereo.truePeakDb, -23), JSON.stringify(stereo))
    t.ok(near(mono?.stereo.loudnessLufs, -23), `one channel comes from both loudspeakers: ${JSON.stringify(mono)}`)
    t.ok(near(surround?.stereo.loudnessLufs, -23 - 7.96) && near(surround?.stereo.truePeakDb, -23 - 7.96), JSON.stringify(surround))
    t.ok(near(surround?.surround?.loudnessLufs, -26) && near(surround?.surround?.truePeakDb, -23), JSON.stringify(surround))
    t.strictSame([stereo?.surround, mono?.surround], [null, null])
    t.strictSame(silent?.stereo, { loudnessLufs: -70, truePeakDb: -120 })
    t.strictSame(await loudness.kept(FINGERPRINT), tracks)
  }
})

t.test('a film that cannot be read is not measured, and nothing of it is kept', async (t) => {
  const [ffmpeg = ''] = await bothFfmpegs()
  const kept = join(folder, 'nothing')
  const path = join(folder, 'noise.mkv')
  writeFileSync(path, Buffer.alloc(10_000, 7))
  const loudness = open(ffmpeg, kept)
  const broken = { path, fingerprint: FINGERPRINT, bitrateBps: null, audio: [audio()] }
  t.equal(await loudness.measure(broken, soon()), undefined)
  t.equal(await loudness.kept(FINGERPRINT), undefined)
  await t.rejects(loudness.measure(broken, AbortSignal.abort(new Error('enough'))), { message: 'enough' })
  await t.rejects(loudness.kept('../../etc/passwd'), { message: 'Not a fingerprint' })
  t.throws(() => readdirSync(kept))
})

t.test('one track that cannot be decoded leaves the whole film unmeasured', async (t) => {
  for (const ffmpeg of await bothFfmpegs()) {
    const { path, audio: tracks } = await mediaFile(ffmpeg)
    const odd = join(folder, 'odd.mkv')
    const sound = ['-map', '0:0', '-map', '0:1', '-map', '0:3', '-c:a:0', 'copy', '-c:a:1', 'ac3', '-c:a:2', 'copy']
    await execa(ffmpeg, ['-v', 'error', '-nostdin', '-y', '-i', path, ...sound, odd], { timeout: 60_000 })
    const bytes = readFileSync(odd)
    bytes.write('A_XC3', bytes.indexOf('A_AC3'))
    writeFileSync(odd, bytes)
    const streams = tracks.slice(0, 3)
    const loudness = open(ffmpeg, join(folder, `odd-${ffmpeg.length}`))
    const found = await loudness.measure({ path: odd, fingerprint: FINGERPRINT, bitrateBps: null, audio: streams }, soon())
    t.strictSame(
      found?.map(({ stream }) => stream),
      [0, 2],
    )
    t.ok(near(found?.[0]?.stereo.loudnessLufs, -23))
    t.strictSame(await loudness.kept(FINGERPRINT), found)
  }
})

t.test('a film without sound needs no ffmpeg, and is measured forever', async (t) => {
  const loudness = open('/nowhere/ffmpeg', join(folder, 'silent'))
  t.strictSame(await loudness.measure({ path: '/films/silent.mkv', fingerprint: FINGERPRINT, bitrateBps: null, audio: [] }, soon()), [])
  t.strictSame(await loudness.kept(FINGERPRINT), [])
})

t.test('what is damaged, or was measured otherwise, is measured again', async (t) => {
  const track = { stream: 1, stereo: { loudnessLufs: -20, truePeakDb: -2 }, surround: null }
  t.strictSame(loudnessFromJson(JSON.stringify({ version: 1, tracks: [track] })), [track])
  for (const text of ['', '{', 'null', '{"version":0,"tracks":[]}', '{"version":1}', '{"version":1,"tracks":[{"stream":1}]}']) {
    t.equal(loudnessFromJson(text), undefined, text)
  }
})
