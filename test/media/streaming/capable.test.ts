/** A capable player gets the film's own video and audio, in any codec that MP4 supports, as the same bytes for everybody. */
import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import t from 'tap'
import { clientCapabilities } from '../../../src/domain/streaming/player-capabilities.ts'
import type { StreamSource } from '../../../src/app/streaming/engine.ts'
import { programs } from '../../fixtures/media-files.ts'
import { show } from './playlist-player.ts'
import { segmentTable, timescaleOf } from '../../fixtures/segment-table.ts'
import { numbers, openEngineFixture, qualityNamed, renditionNamed, shuffled } from '../engine-fixture.ts'

const list = (text: string): readonly string[] => text.split(' ')
const VP9 = list('-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 60k -g 50')
const HEVC = list('-c:v libx265 -preset ultrafast -crf 35 -pix_fmt yuv420p -x265-params keyint=50:log-level=none:pools=1:frame-threads=1')

const SOUNDS = {
  'opus.webm': [...VP9, ...list('-c:a libopus -b:a 48k -ac 2')],
  'flac.mkv': [...HEVC, ...list('-c:a flac -ac 2')],
  'eac3.mkv': [...HEVC, ...list('-c:a eac3 -b:a 256k -ac 6')],
  'ac3.mp4': [...HEVC, ...list('-tag:v hvc1 -c:a ac3 -b:a 256k -ac 6')],
} as const
type Name = keyof typeof SOUNDS

/** Nine seconds; the audio starts after `late` and lasts `seconds`. */
async function made(name: Name, { late = 0, seconds = 9 } = {}): Promise<string> {
  const folder = join(tmpdir(), `marquee-clips-${process.getuid?.() ?? 0}`, `capable-${late}-${seconds}`)
  const path = join(folder, name)
  if (existsSync(path)) return path
  await mkdir(folder, { recursive: true })
  const { ffmpeg } = await programs
  const inputs = list(
    `-f lavfi -i testsrc2=size=192x108:rate=25:duration=9 -itsoffset ${late} -f lavfi -i sine=frequency=440:sample_rate=48000:duration=${seconds}`,
  )
  const part = join(folder, `${process.pid}-${name}`)
  await execa(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...inputs, '-map', '0', '-map', '1', ...SOUNDS[name], part], { timeout: 60_000 })
  await rename(part, path)
  return path
}

const CAPABLE = clientCapabilities({
  video: ['h264', 'hevc', 'vp9'].map((codec) => ({ codec })),
  audio: ['aac', 'ac3', 'eac3', 'opus', 'flac'].map((codec) => ({ codec, maxChannels: 6 })),
})
const capable = (source: StreamSource): StreamSource => ({ ...source, options: { capabilities: CAPABLE } })

for (const [name, codecs] of [
  ['opus.webm', /^vp09\.00\.\d\d\.08[.\d]*,Opus$/],
  ['flac.mkv', /^hvc1\.1\.6\.L\d+\.\w+,fLaC$/],
  ['eac3.mkv', /^hvc1\.1\.6\.L\d+\.\w+,ec-3$/],
  ['ac3.mp4', /^hvc1\.1\.6\.L\d+\.\w+,ac-3$/],
] as const) {
  t.test(`${name} is copied for a player that takes it, and plays without an error`, async (t) => {
    const fixture = await openEngineFixture(t)
    const source = await fixture.source(await made(name))
    const master = await fixture.engine.master(capable(source), 'user:session:1:00', { viewer: 'ann', signal: AbortSignal.timeout(30_000) })
    t.match(/^#EXT-X-STREAM-INF:.*CODECS="([^"]*)"/m.exec(master)?.[1], codecs)
    const shown = await show(fixture, capable(source), 'original')
    t.strictSame(shown.errors, [])
    t.equal(shown.frames, 225)
    t.ok(Math.abs(shown.seconds - source.media.durationMs / 1000) < 0.1, `${shown.seconds} s`)
    const other = await fixture.engine.plan(source)
    t.strictSame([other.video[0]?.method, other.audio[0]?.name], ['transcode', 'audio-0-aac'], 'but not for others')
  })

  t.test(`the sound of ${name} has the same bytes whatever order its segments are asked in`, async (t) => {
    const [one, other] = [await openEngineFixture(t), await openEngineFixture(t)]
    const source = capable(await one.source(await made(name)))
    const { quality, count } = await renditionNamed(one, source, 'audio-0')
    const [first, second] = [await one.fetch(source, quality, numbers(count)), await other.fetch(source, quality, shuffled(numbers(count)))]
    for (const segment of numbers(count)) t.ok(Buffer.from(first.get(segment)!).equals(second.get(segment)!), `segment ${segment}`)
    const tables = numbers(count).map((segment) => segmentTable(first.get(segment)!))
    t.strictSame(
      tables.slice(1).map((table) => table.start),
      tables.slice(0, -1).map((table) => table.end),
      'contiguous',
    )
    await Promise.all([one.close(), other.close()])
  })
}

for (const name of ['eac3.mkv', 'opus.webm'] as const) {
  t.test(`sound of ${name} that begins late and ends early has silence of its own codec around it`, async (t) => {
    const fixture = await openEngineFixture(t)
    const source = capable(await fixture.source(await made(name, { late: 2.7, seconds: 3 })))
    const { quality, count } = await renditionNamed(fixture, source, 'audio-0')
    const segments = await fixture.fetch(source, quality, numbers(count))
    const scale = timescaleOf(await fixture.init(source, quality))
    const tables = numbers(count).map((segment) => segmentTable(segments.get(segment)!))
    t.ok(tables[0]!.start / scale < 0.04, 'it begins with the film')
    t.ok(tables.at(-1)!.end / scale > 8.9, `and ends with it: ${tables.at(-1)!.end / scale}`)
    const shown = await show(fixture, source, 'original')
    t.strictSame(shown.errors, [])
  })
}

t.test('six channels that are no player’s are made into AAC of six for one that takes those, beside stereo', async (t) => {
  const fixture = await openEngineFixture(t)
  const source = await fixture.source(await made('eac3.mkv'))
  const surround = { ...source, options: { capabilities: clientCapabilities({ audio: [{ codec: 'aac', maxChannels: 6 }] }) } }
  /** Bits of the AudioSpecificConfig: AAC-LC, 48 kHz, and the number of channels. */
  for (const [name, configuration] of [
    ['audio-0-aac51', [0x11, 0xb0]],
    ['audio-0-aac', [0x11, 0x90]],
  ] as const) {
    const init = Buffer.from(await fixture.init(surround, qualityNamed(name)))
    t.ok(init.indexOf(Buffer.from(configuration), init.indexOf('esds')) > 0, name)
  }
  const shown = await show(fixture, surround, '240p')
  t.strictSame(shown.errors, [])
})

t.test('players of different skills share what is made, and one that takes the file itself makes nothing start', async (t) => {
  const fixture = await openEngineFixture(t)
  const source = await fixture.source(await made('eac3.mkv'))
  const [one, other] = [await fixture.engine.plan(source), await fixture.engine.plan(capable(source))]
  const keys = new Set(other.audio.map(({ key }) => key))
  t.ok(one.audio.every(({ key }) => keys.has(key)))
  t.strictSame(one.video[0]?.grid, other.video[1]?.grid, 'on the same boundaries')
  const direct = { ...source, options: { capabilities: { ...CAPABLE, containers: ['matroska'] } } }
  t.equal((await fixture.engine.plan(direct)).decision.method, 'direct')
  const started: string[] = []
  const watch = fixture.bus.subscribe('agents.hello', ({ head }) => void started.push(JSON.stringify(head)))
  await fixture.engine.prewarm(direct, { positionMs: 0, viewer: 'ann' })
  t.equal(
    await fixture.engine.segment(
      direct,
      { quality: qualityNamed('1080p'), segment: 0 },
      { viewer: 'ann', signal: AbortSignal.timeout(1_000) },
    ),
    undefined,
  )
  watch.close()
})
