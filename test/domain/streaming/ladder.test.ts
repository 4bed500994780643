import t from 'tap'
import { ladderOf, type LadderOptions } from '../../../src/domain/streaming/ladder.ts'
import type { VideoTrack } from '../../../src/vocabulary/media-description.ts'
import { video } from '../../fixtures/media-descriptions.ts'

const options = (changes: Partial<LadderOptions> = {}): LadderOptions => ({
  bitrateBps: 40e6,
  besideCopy: true,
  toneMapped: false,
  client: { maxHeight: null, maxBitrateBps: null, video: [] },
  ...changes,
})
const names = (changes: Partial<VideoTrack>, more: Partial<LadderOptions> = {}) =>
  ladderOf(video(changes), options(more)).map(({ name, width, height }) => `${name} ${width}x${height}`)

const UHD = { width: 3840, height: 2160 }
const ALONE = { besideCopy: false }

const SIZES: readonly (readonly [Partial<VideoTrack>, readonly string[]])[] = [
  [{}, ['1080p 1920x1080', '720p 1280x720', '480p 854x480']],
  [UHD, ['1080p 1920x1080', '720p 1280x720', '480p 854x480']],
  [{ width: 3840, height: 1600 }, ['1080p 1920x800', '720p 1280x534', '480p 854x356']],
  [{ width: 960, height: 540 }, ['720p 960x540', '480p 854x480', '360p 640x360']],
  [{ width: 800, height: 332 }, ['480p 800x332', '360p 640x266', '240p 426x178']],
  [{ width: 320, height: 184 }, ['240p 320x184']],
  [{ width: 160, height: 120 }, ['240p 160x120']],
  [{ width: 432, height: 244, rotation: 90 }, ['240p 244x432']],
  [{ width: 1920, height: 1080, rotation: 270 }, ['1080p 1080x1920', '720p 720x1280', '480p 480x854']],
  [{ width: 720, height: 576, sampleAspect: '64:45' }, ['480p 1024x576', '360p 640x360', '240p 426x240']],
  [{ width: 480, height: 360, sampleAspect: '491:480' }, ['360p 490x360', '240p 328x240']],
  [{ width: 853, height: 479 }, ['480p 852x478', '360p 640x360', '240p 426x240']],
]
t.test('rungs are never above the film, even in both directions, turned and with square pixels', async (t) => {
  for (const [changes, wanted] of SIZES) t.strictSame(names(changes), wanted, JSON.stringify(changes))
})

const RATES: readonly (readonly [number, Partial<LadderOptions>, readonly string[]])[] = [
  [8e6, {}, ['1080p', '720p', '480p']],
  [6.8e6, {}, ['720p', '480p', '360p']],
  [1.7e6, {}, ['360p', '240p']],
  [0.3e6, {}, ['240p']],
  [1.7e6, ALONE, ['1080p', '360p', '240p']],
  [0.3e6, ALONE, ['1080p']],
]
t.test('a rung that costs more than four fifths of the film is left out, but for one that stands in for the film', async (t) => {
  for (const [bitrateBps, more, wanted] of RATES) {
    const rungs = ladderOf(video(), options({ bitrateBps, ...more }))
    t.strictSame(
      rungs.map(({ name }) => name),
      wanted,
      `${bitrateBps} ${JSON.stringify(more)}`,
    )
  }
})

const CLIENTS: readonly (readonly [Partial<VideoTrack>, number | null, number | null, readonly string[]])[] = [
  [{}, 720, null, ['720p', '480p', '360p']],
  [{}, 480, null, ['480p', '360p', '240p']],
  [{}, 100, null, ['240p']],
  [{}, null, 5_000_000, ['720p', '480p', '360p']],
  [{}, null, 100_000, ['240p']],
  [UHD, 2160, null, ['2160p', '1440p', '1080p']],
  [UHD, 1440, null, ['1440p', '1080p', '720p']],
  [{ rotation: 90 }, 720, null, ['720p', '480p', '360p']],
]
t.test('the one rung beside a film of a very low rate costs less than the film', async (t) => {
  t.match(ladderOf(video(), options({ bitrateBps: 300_000 })), [{ name: '240p', bitrateBps: 240_000, maxBitrateBps: 300_000 }])
  t.match(ladderOf(video(), options({ bitrateBps: 10_000 })), [{ name: '240p', bitrateBps: 50_000, maxBitrateBps: 62_500 }])
  t.match(
    ladderOf(video(), options({ bitrateBps: 300_000, besideCopy: false, client: { maxHeight: 100, maxBitrateBps: null, video: [] } })),
    [{ name: '240p', bitrateBps: 400_000 }],
  )
  t.match(ladderOf(video(), options({ client: { maxHeight: 100, maxBitrateBps: null, video: [] } })), [
    { name: '240p', bitrateBps: 400_000 },
  ])
})

t.test('at most three rungs are shown, up to what the player says it shows', async (t) => {
  for (const [changes, maxHeight, maxBitrateBps, wanted] of CLIENTS) {
    const rungs = ladderOf(video(changes), options({ client: { maxHeight, maxBitrateBps, video: [] } }))
    t.strictSame(
      rungs.map(({ name }) => name),
      wanted,
      `${maxHeight} ${maxBitrateBps}`,
    )
  }
})

const LEVELS: readonly (readonly [Partial<VideoTrack>, readonly (number | null)[], readonly string[]])[] = [
  [{}, [3.1], ['720p', '480p', '360p']],
  [{ frameRate: 60 }, [3.1], ['480p', '360p', '240p']],
  [{ frameRate: null }, [3.1], ['480p', '360p', '240p']],
  [{ width: 2400, height: 1080, rotation: 90, frameRate: 60 }, [4.1], ['720p', '480p', '360p']],
  [{}, [3, 4], ['1080p', '720p', '480p']],
  [{}, [3, null], ['1080p', '720p', '480p']],
  [{}, [1], ['240p']],
]
t.test('no rung has a higher level of H.264 than the player decodes', async (t) => {
  for (const [changes, levels, wanted] of LEVELS) {
    const video264 = levels.map((level) => ({ codec: 'h264', profile: null, level, bitDepth: 8, hdr: [] }))
    const other = { codec: 'hevc', profile: null, level: 1, bitDepth: 8, hdr: [] }
    const client = { maxHeight: null, maxBitrateBps: null, video: [other, ...video264] }
    const rungs = ladderOf(video(changes), options({ client, ...ALONE }))
    t.strictSame(
      rungs.map(({ name }) => name),
      wanted,
      JSON.stringify([changes, levels]),
    )
  }
})

t.test('HDR is brought down to SDR at 720p at most', async (t) => {
  t.strictSame(names(UHD, { toneMapped: true, ...ALONE }), ['720p 1280x720', '480p 854x480', '360p 640x360'])
  t.strictSame(names({ width: 640, height: 360 }, { toneMapped: true, ...ALONE }), ['360p 640x360', '240p 426x240'])
})
