/** CODECS of copied video: the plan's values, known before any segment is made, must equal those of the init segments. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { execa } from 'execa'
import t from 'tap'
import { mediaSet, programs } from '../../fixtures/media-files.ts'
import { EVERY_CODEC } from './capable-player.ts'
import { clip } from '../../fixtures/clips.ts'
import { openEngineFixture, qualityNamed, type EngineFixture } from '../engine-fixture.ts'
import { initFacts } from '../validator/init-facts.ts'

const list = (text: string): readonly string[] => text.split(' ')
const X265 = list('-c:v libx265 -preset ultrafast -x265-params log-level=none:pools=1:frame-threads=1')
/** Two seconds each. */
const MADE = {
  'high.mkv': list('-c:v libx264 -preset ultrafast -profile:v high -level 4.2 -pix_fmt yuv420p'),
  'baseline.mp4': list('-c:v libx264 -preset ultrafast -profile:v baseline -pix_fmt yuv420p'),
  'main10.mkv': [...X265, ...list('-pix_fmt yuv420p10le')],
  'in-band.mp4': [...X265, ...list('-pix_fmt yuv420p -tag:v hev1')],
  'av1.mkv': list('-c:v libaom-av1 -cpu-used 8 -usage realtime -pix_fmt yuv420p'),
  'av1.mp4': list('-c:v libaom-av1 -cpu-used 8 -usage realtime -pix_fmt yuv420p10le'),
  'vp9.mp4': list('-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -pix_fmt yuv420p'),
  'vp9-colour.mp4': list(
    '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -pix_fmt yuv420p10le -profile:v 2 -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc',
  ),
} as const

const folder = mkdtempSync(join(tmpdir(), 'marquee-codecs-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

async function made(name: keyof typeof MADE): Promise<string> {
  const { ffmpeg } = await programs
  const video = list('-v error -nostdin -f lavfi -i testsrc2=size=320x180:rate=24:duration=2')
  await execa(ffmpeg, [...video, ...MADE[name], join(folder, name)], { timeout: 60_000 })
  return join(folder, name)
}

/** CODECS of the copied video; undefined if it is not copied. */
async function said(fixture: EngineFixture, path: string) {
  const source = { ...(await fixture.source(path)), options: { capabilities: EVERY_CODEC } }
  await fixture.media.index(path, source.fingerprint, AbortSignal.timeout(60_000))
  const [copy] = (await fixture.engine.plan(source)).video
  if (copy?.method !== 'remux') return undefined
  return { planned: copy.codec, isExact: copy.isCodecExact, made: initFacts(await fixture.init(source, qualityNamed('original'))).codec }
}

const names = Object.keys(MADE).filter((name): name is keyof typeof MADE => name in MADE)
for (const name of names) {
  t.test(`${name}: its container has the codec string of its init segment`, async (t) => {
    const fixture = await openEngineFixture(t)
    const codec = await said(fixture, await made(name))
    t.ok(codec?.isExact)
    t.equal(codec?.planned, codec?.made)
  })
}

t.test('a transport stream has it only in its first bytes', async (t) => {
  const fixture = await openEngineFixture(t)
  t.equal((await said(fixture, await clip('broadcast.ts')))?.isExact, false)
})

const set = mediaSet()
t.test('the films of the media set: where the plan is sure, it is right', { skip: !set }, async (t) => {
  const fixture = await openEngineFixture(t)
  const sure: string[] = []
  for (const { path } of set!.manifest.files.filter((mediaFile) => mediaFile.path.startsWith('movies/'))) {
    const codec = await said(fixture, join(set!.root, path))
    if (!codec?.isExact) continue
    t.equal(codec.planned, codec.made, basename(path))
    sure.push(path)
  }
  t.ok(sure.length >= 10, `${sure.length} films`)
})

t.test('a master of a film whose container has its codec string needs no agent', async (t) => {
  const fixture = await openEngineFixture(t, { ffmpegPath: join(folder, 'none') })
  const path = await clip('b-frames.mkv')
  const source = await fixture.source(path)
  await fixture.media.index(path, source.fingerprint, AbortSignal.timeout(60_000))
  const [copy] = (await fixture.engine.plan(source)).video
  const master = await fixture.engine.master(source, 'user:session:1:00', { viewer: 'ann', signal: AbortSignal.timeout(60_000) })
  t.match(master, `CODECS="${copy?.codec},mp4a.40.2"`)
  t.strictSame(fixture.problems, [], 'nothing was tried')
})

const meadow = join(set?.movies ?? '', 'Peach Meadow (2008)', 'Peach Meadow (2008).mkv')
t.test('CODECS of Peach Meadow name its video and its HE-AAC as their init segments do', { skip: !existsSync(meadow) }, async (t) => {
  const fixture = await openEngineFixture(t)
  const source = { ...(await fixture.source(meadow)), options: { capabilities: EVERY_CODEC } }
  await fixture.media.index(meadow, source.fingerprint, AbortSignal.timeout(60_000))
  t.equal(source.media.audio[0]?.profile, 'HE-AAC')
  const codecOf = async (name: string) => initFacts(await fixture.init(source, qualityNamed(name))).codec
  const ask = { viewer: 'ann', signal: AbortSignal.timeout(60_000) }
  const master = await fixture.engine.master(source, 'user:session:1:00', ask)
  const stated = [...master.matchAll(/^#EXT-X-STREAM-INF:.*CODECS="([^"]+)".*\n(\w+)\//gm)].map(([, codecs, name]) => [name, codecs])
  const sound = await codecOf('audio-0')
  t.equal(sound, 'mp4a.40.5')
  t.strictSame(stated, [
    ['original', `${await codecOf('original')},${sound}`],
    ['240p', `${await codecOf('240p')},${sound}`],
  ])
})
