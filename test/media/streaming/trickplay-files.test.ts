/**
 * Checks thumbnails: each one, cut out of its sheet, must match the frames that a plain ffmpeg decodes around its stated time. Covers every
 * film of the media set if it is available, and generated clips everywhere.
 */
import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { execa } from 'execa'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { createDiskTrickplayStore } from '../../../src/adapters/filesystem/trickplay-store.ts'
import { createMediaFrames } from '../../../src/adapters/ffmpeg/video-frames.ts'
import { createMedia } from '../../../src/adapters/ffmpeg/media.ts'
import { createMatroskaReader } from '../../../src/adapters/ffmpeg/piped-matroska.ts'
import { makeSheet } from '../../../src/adapters/sharp/sharp-sheets.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { makeTrickplay } from '../../../src/app/derived-media/trickplay-maker.ts'
import { EARLY_MS } from '../../../src/domain/streaming/trickplay.ts'
import type { TrickplayPlan } from '../../../src/vocabulary/trickplay.ts'
import { mediaFfmpeg } from '../../../src/wiring/media-ffmpeg.ts'
import { NotPlayable } from '../../../src/ports/media.ts'
import { createFrameProbe } from '../../../transcode-agent/frame-probe.ts'
import { makeClip, mediaSet, programs } from '../../fixtures/media-files.ts'

const { ffmpeg, ffprobe } = await programs
const clock = createSystemClock()
const set = mediaSet()
const EXTENSIONS = new Set(['.mkv', '.mp4', '.webm', '.m4v', '.avi', '.mpg', '.ogv'])
t.setTimeout(600_000)

const never = new AbortController().signal
/** Frames within this distance of the stated time are compared. */
const AROUND_MS = 500
/** In a still scene the next frame looks the same. */
const SAME_DB = 0.35
const LEAST_DB = 20
const OFFSET_MS = 1_000_000
const QUIET = ['-v', 'error', '-nostdin']
const GREY_TO_PIPE =
  `-fps_mode passthrough -enc_time_base 1:90000 -c:v rawvideo -avoid_negative_ts disabled -output_ts_offset ${OFFSET_MS / 1000} -f matroska pipe:1`.split(
    ' ',
  )

const mediaFilesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && EXTENSIONS.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))

/** For films with B-frames but without timestamps, and for those without an index, reading starts at the beginning. */
const STARTS_OVER = new Set(['.avi', '.mpg', '.ogv'])

function open(folder: string) {
  const media = createMedia({ start: mediaFfmpeg('ffmpeg', ffprobe), clock, indexFolder: join(folder, 'index') })
  const store = createDiskTrickplayStore({
    clock,
    folder: join(folder, 'trickplay'),
    budgetBytes: 1e9,
    floorBytes: 0,
    onError: (cause) => t.fail(cause.message),
  })
  const maker = { ...createMediaFrames({ clock, start: mediaFfmpeg(ffmpeg) }), sheet: makeSheet }
  const make = async (path: string) => {
    const fingerprint = (await media.fingerprint(path)).current
    const description = await media.probe(path, never)
    const mediaFile = { path, fingerprint, media: description }
    const kept = await store.keep(fingerprint, (draft) => makeTrickplay({ maker, media }, mediaFile, { draft, signal: never }), true)
    const { zeroMs } = await media.index(path, fingerprint, never)
    return { kept, fingerprint, description, zeroMs, plan: await store.plan(fingerprint) }
  }
  return { make, store }
}

interface Seen {
  readonly atMs: number
  readonly pixels: Uint8Array
}

/** The frames of a plain ffmpeg around a time of the film's output timeline, grey and as large as the thumbnails. */
async function shownAround(
  path: string,
  atMs: number,
  { width, height }: TrickplayPlan,
  zeroMs: number,
  tone: readonly string[],
): Promise<readonly Seen[]> {
  const fromMs = zeroMs + atMs - AROUND_MS
  const seekMs = STARTS_OVER.has(extname(path)) ? 0 : Math.max(0, atMs - 2 * AROUND_MS - 500)
  const filters = [
    `trim=start=${fromMs / 1000}:end=${(fromMs + 2 * AROUND_MS) / 1000}`,
    ...tone,
    `scale=${width}:${height}:flags=bicubic`,
    'format=gray',
  ]
  const seek = seekMs > 0 ? ['-noaccurate_seek', '-ss', String(seekMs / 1000)] : []
  const { stdout } = await execa(
    ffmpeg,
    [...QUIET, ...seek, '-copyts', '-i', path, '-map', '0:V:0', '-vf', filters.join(','), ...GREY_TO_PIPE],
    { encoding: 'buffer', maxBuffer: 256 * 1024 * 1024, timeout: 120_000, reject: false, env: { GCONV_PATH: '/nonexistent' } },
  )
  return createMatroskaReader()
    .push(stdout)
    .map(({ startMs, payload }) => ({ atMs: startMs - OFFSET_MS - zeroMs, pixels: payload.subarray(0, width * height) }))
}

async function tileOf(sheet: Uint8Array, place: number, { width, height, columns }: TrickplayPlan): Promise<Uint8Array> {
  const area = { left: (place % columns) * width, top: Math.floor(place / columns) * height, width, height }
  return sharp(sheet).extract(area).greyscale().raw().toBuffer()
}

/** Peak signal-to-noise ratio in dB, without the mean: here it does not matter whether black is 0 or 16. */
function likeness(a: Uint8Array, b: Uint8Array): number {
  const [meanA, meanB] = [a, b].map((pixels) => pixels.reduce((sum, pixel) => sum + pixel, 0) / pixels.length)
  const error = a.reduce((sum, pixel, n) => sum + (pixel - (meanA ?? 0) - ((b[n] ?? 0) - (meanB ?? 0))) ** 2, 0) / a.length
  return 10 * Math.log10(255 ** 2 / Math.max(error, 1e-3))
}

/** One in the middle, and the last. */
const chosen = (frames: number) => [...new Set([Math.floor(frames / 2), frames - 1])]

async function check(t: Test, path: string, { make, store }: ReturnType<typeof open>): Promise<void> {
  const { kept, plan, fingerprint, zeroMs, description } = await make(path)
  t.equal(kept, 'kept')
  if (!plan) return
  t.equal(plan.ptsMs.length, Math.max(1, Math.ceil((description.durationMs - 1_000) / 10_000)), 'one for each ten seconds')
  for (const [n, ptsMs] of plan.ptsMs.entries()) t.ok(ptsMs >= n * 10_000 - EARLY_MS && ptsMs < (n + 1) * 10_000, `${n}: ${ptsMs} ms`)
  t.equal(new Set(plan.ptsMs).size, plan.ptsMs.length, 'none twice')
  const [track] = description.video
  const tone = track?.hdr ? (await createFrameProbe(ffmpeg)({ ...plan, track })).filters : []
  for (const frame of chosen(plan.ptsMs.length)) {
    const sheet = await store.sheet(fingerprint, { width: plan.width, sheet: Math.floor(frame / 100) })
    const tile = sheet && (await tileOf(sheet, frame % 100, plan))
    const ptsMs = plan.ptsMs[frame] ?? NaN
    const seen = tile
      ? (await shownAround(path, ptsMs, plan, zeroMs, tone)).map(({ atMs, pixels }) => ({ atMs, like: likeness(tile, pixels) }))
      : []
    const stated = seen.find(({ atMs }) => Math.abs(atMs - ptsMs) <= 1.5)
    const best = seen.reduce((most, { like }) => Math.max(most, like), 0)
    t.ok(stated && stated.like >= best - SAME_DB && stated.like >= LEAST_DB, `the one at ${ptsMs} ms`, { stated, best, seen })
  }
}

t.test('made clips: with near keyframes, and with far ones', async (t) => {
  const folder = t.testdir()
  const given = open(folder)
  const near = await makeClip({ path: join(folder, 'near.mkv'), seconds: 33, fps: 12, keyframeInterval: 41, bFrames: 2 })
  const far = await makeClip({ path: join(folder, 'far.mp4'), seconds: 33, fps: 12, keyframeInterval: 1000, bFrames: 2 })
  const short = await makeClip({ path: join(folder, 'short.mp4'), seconds: 2 })
  for (const path of [near, far, short]) await check(t, path, given)
})

t.test('every film of the media set', { skip: set === undefined && 'the media set is not here' }, async (t) => {
  const given = open(t.testdir())
  for (const path of mediaFilesBelow(set?.movies ?? '')) await t.test(path.split('/').at(-1) ?? '', async (t) => check(t, path, given))
})

t.test('damaged films have no set, and leave nothing', { skip: set === undefined && 'the media set is not here' }, async (t) => {
  const folder = t.testdir()
  const { make, store } = open(folder)
  for (const path of mediaFilesBelow(set?.broken ?? '')) {
    const made = await make(path).catch((cause: unknown) => {
      t.ok(cause instanceof NotPlayable, `${path}: ${String(cause)}`)
      return undefined
    })
    // The film is intact; a file beside it is damaged.
    const isSound = path.includes('Bad Neighbours')
    t.equal(made?.kept === 'kept', isSound, path)
  }
  t.equal((await store.sets()).length, 1)
  t.strictSame(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.part')),
    [],
  )
})
