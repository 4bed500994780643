/**
 * Master playlists with an HDR film's own video beside SDR rungs, in browsers on an SDR screen: AV1, which Chromium decodes, so that only
 * the dynamic range excludes it; and HEVC.
 */
import { execa } from 'execa'
import { existsSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { findChromium } from '../../fixtures/browsers.ts'
import t, { type Test } from 'tap'
import { mediaSet, programs } from '../../fixtures/media-files.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { hdrClip } from '../../fixtures/hdr-clips.ts'
import { scannedMovies } from '../whole/server-process.ts'
import type { Cinema } from './browser.ts'
import { cinemaFor, openPlayersServer, takeSeat, type PlayersServer } from './players-server.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

t.setTimeout(230_000)

const FILM = 'London Rooftops HDR (2022)'
const CAPABILITIES = {
  containers: ['mp4'],
  video: [
    { codec: 'h264', bitDepth: 8 },
    { codec: 'hevc', bitDepth: 10, hdr: ['hdr10', 'hlg'] },
    { codec: 'av1', bitDepth: 10, hdr: ['hdr10', 'hlg'] },
  ],
  audio: [{ codec: 'aac', maxChannels: 2 }],
}
/**
 * hls.js skips the gap before the first frame if the audio starts earlier, waits for a slow machine, and cancels its own request for a rung
 * that comes sooner.
 */
const USUAL = /^bufferSeekOverHole .* from 0 to 0\.1|^bufferStalledError |^aborted Aborted$/

/** Far longer than a film takes to start: the player's error then tells more than a test's timeout. */
const PATIENCE_MS = 40_000

const HEVC = ['-c:v', 'libx265', '-preset', 'ultrafast', '-crf', '18', '-x265-params', 'keyint=50:min-keyint=50:scenecut=0:log-level=none']
const AV1 = ['-c:v', 'libsvtav1', '-preset', '12', '-crf', '20', '-g', '50']

/** The clip's frames, larger than any rung generated from them. False if this ffmpeg lacks the encoder. */
async function enlarged(path: string, size: string, encoder: readonly string[]): Promise<boolean> {
  const { ffmpeg } = await programs
  const tags = ['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc', '-color_range', 'tv']
  const video = ['-vf', `scale=${size}`, '-pix_fmt', 'yuv420p10le', ...encoder]
  const made = await execa(ffmpeg, ['-v', 'error', '-nostdin', '-y', '-i', await hdrClip('pq'), ...video, ...tags, path], {
    timeout: 120_000,
    reject: false,
  })
  return made.exitCode === 0
}

async function films(t: Test, folder: string): Promise<string> {
  const [media, own] = [join(folder, 'media'), mediaSet()]
  await mkdir(media)
  if (own && existsSync(join(own.movies, FILM))) await symlink(join(own.movies, FILM), join(media, FILM))
  else t.ok(await enlarged(join(media, `${FILM}.mkv`), '960:540', HEVC))
  if (!(await enlarged(join(media, 'Bars in AV1 (2024).mp4'), '1920:1080', AV1))) t.comment('This ffmpeg makes no AV1')
  return media
}

t.test('a browser takes the rungs of usual brightness out of a master that holds HDR, too', async (t) => {
  const program = findChromium()
  if (!program) return tellMissing(t, 'chromium')
  const folder = testFolder(t)
  const fixture = await openPlayersServer(t, { folder, media: await films(t, folder) })
  const cinema = await cinemaFor(t, program)
  for (const [title, { id }] of await scannedMovies(fixture.api)) {
    for (const player of ['hls', 'shaka'] as const) {
      await t.test(`${title} in ${player}`, (t) => show(t, { fixture, cinema, player, movieId: id }))
    }
  }
})

interface Showing {
  readonly fixture: PlayersServer
  readonly cinema: Cinema
  readonly player: 'hls' | 'shaka'
  readonly movieId: string
}

async function show(t: Test, { fixture, cinema, player, movieId }: Showing): Promise<void> {
  const seat = await takeSeat(fixture, { movieId, capabilities: CAPABILITIES })
  t.teardown(() => seat.leave())
  const text = await (await fetch(seat.master)).text()
  const ranges = [...text.matchAll(/^#EXT-X-STREAM-INF:.*VIDEO-RANGE=(\w+)/gm)].map(([, range]) => range)
  t.equal(ranges[0], 'PQ')
  t.ok(ranges.includes('SDR'))
  const stage = await cinema.open()
  try {
    const playing = stage.evaluate(
      `watched.start(${JSON.stringify(player)}, ${JSON.stringify(seat.master)}).then(() => watched.passes(0.5))`,
    )
    const late = stage.evaluate(`new Promise((resolve) => setTimeout(resolve, ${PATIENCE_MS}, 'late'))`)
    if ((await Promise.race([playing, late])) === 'late') {
      return void t.fail(`nothing has moved for ${PATIENCE_MS} ms`, { report: await stage.evaluate('watched.report()'), said: stage.said })
    }
    await stage.evaluate('new Promise((resolve) => setTimeout(resolve, 2000))')
    const seen = (await stage.evaluate('watched.report()')) as { errors: readonly string[]; height: number }
    t.strictSame([...seen.errors.filter((one) => !USUAL.test(one)), ...stage.said], [])
    t.ok(seen.height > 0 && seen.height < (seat.qualities[0]?.height ?? 0), `it shows ${seen.height} lines, not the film's own`)
    const { positionS } = (await stage.evaluate('watched.look()')) as { positionS: number }
    t.ok(positionS > 0.5, `the video moves: ${positionS}`)
  } finally {
    await stage.close()
  }
}
