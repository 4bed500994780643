/**
 * Films whose keyframes do not all allow clean starts, in hls.js and Shaka: groups that refer to the previous one, and gradual refresh.
 * After a seek the browser shows the film's own frame, never a broken one, and never fails: such films are copied only for players that are
 * not browsers. A film of closed groups is copied, and displayed in the same way.
 */
import { copyFile, mkdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { execa } from 'execa'
import { findChromium } from '../../fixtures/browsers.ts'
import t, { type Test } from 'tap'
import { programs } from '../../fixtures/media-files.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { frameTimesMs } from '../../media/streaming/media-facts.ts'
import { oddFile, type OddFile } from '../../media/streaming/odd-files.ts'
import { scannedMovies } from '../whole/server-process.ts'
import type { Cinema } from './browser.ts'
import { cinemaFor, openPlayersServer, takeSeat } from './players-server.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

t.setTimeout(230_000)

interface Sample {
  readonly name: OddFile
  readonly method: 'remux' | 'transcode'
}

const FILMS: Readonly<Record<string, Sample>> = {
  'Closed Groups': { name: 'gap-in-flac.mkv', method: 'remux' },
  'Open Groups': { name: 'open-groups.ts', method: 'transcode' },
  'Fresh Starts Between': { name: 'fresh-starts.mp4', method: 'transcode' },
  'Gradual Refresh': { name: 'intra-refresh.mkv', method: 'transcode' },
}
const NATIVE = { containers: ['mp4', 'mpegts', 'matroska'] }
const [WIDTH, HEIGHT] = [192, 108]
/** Seconds, inside groups and at their starts, forwards and backwards. */
const SEEKS = [9.5, 3.3, 12.04, 6.2, 1.6, 10.9]
/** Two frames. */
const NEAR_MS = 90
/** Another frame of these films, or a broken one, is below 26. */
const LEAST_DB = 30

interface Frame {
  /** Null: none is displayed. */
  readonly time: number | null
  readonly grey: readonly number[]
}

interface Truth {
  readonly timesMs: readonly number[]
  readonly frames: readonly Uint8Array[]
}

/** The film's frames as grey values, and their times from the film's start. */
async function truthOf(path: string): Promise<Truth> {
  const { ffmpeg, ffprobe } = await programs
  const start = await execa(ffprobe, ['-v', 'error', '-show_entries', 'format=start_time', '-of', 'csv=p=0', path])
  const args = ['-v', 'error', '-i', path, '-map', '0:v', '-fps_mode', 'passthrough', '-vf', 'format=gray', '-f', 'rawvideo', 'pipe:1']
  const { stdout } = await execa(ffmpeg, args, { encoding: 'buffer', maxBuffer: 2 ** 28 })
  const size = WIDTH * HEIGHT
  const timesMs = (await frameTimesMs(path, 0)).map((ms) => ms - Number(start.stdout) * 1000)
  return { timesMs, frames: timesMs.map((_, n) => stdout.subarray(n * size, (n + 1) * size)) }
}

function likeness(shown: readonly number[], own: Uint8Array | undefined): number {
  const squares = shown.reduce((sum, value, at) => sum + (value - (own?.[at] ?? Infinity)) ** 2, 0)
  return 10 * Math.log10(255 ** 2 / (squares / shown.length || 0.01))
}

t.test('after a seek into a film of open groups or gradual refresh browsers show its video, unbroken', async (t) => {
  const program = findChromium()
  if (!program) return tellMissing(t, 'chromium')
  const folder = testFolder(t)
  const media = join(folder, 'media')
  await mkdir(media)
  for (const [title, { name }] of Object.entries(FILMS)) await copyFile(await oddFile(name), join(media, `${title} (2020)${extname(name)}`))
  const fixture = await openPlayersServer(t, { folder, media })
  const cinema = await cinemaFor(t, program)
  for (const [title, { id }] of await scannedMovies(fixture.api)) {
    const { name, method } = FILMS[title]!
    const truth = await truthOf(await oddFile(name))
    for (const player of ['hls', 'shaka'] as const) {
      await t.test(`${title} in ${player}`, async (t) => {
        const seat = await takeSeat(fixture, { movieId: id })
        t.teardown(() => seat.leave())
        t.equal(seat.qualities[0]?.method, method)
        await isWhole(t, { cinema, player, playlist: await firstPlaylist(seat.master), truth })
      })
    }
    const native = await takeSeat(fixture, { movieId: id, capabilities: NATIVE })
    t.equal(native.qualities[0]?.method, 'remux', `${title} is copied for a player that is no browser`)
    await native.leave()
  }
})

/** Only the first quality, so that the player stays with it. */
async function firstPlaylist(master: string): Promise<string> {
  const [, uri = ''] = /^#EXT-X-STREAM-INF:.*\n(.*)$/m.exec(await (await fetch(master)).text()) ?? []
  return String(new URL(uri, master))
}

interface Showing {
  readonly cinema: Cinema
  readonly player: 'hls' | 'shaka'
  readonly playlist: string
  readonly truth: Truth
}

/** A buffer so short that each seek starts with a segment whose neighbour is not loaded. */
const AHEAD_S = 1

async function isWhole(t: Test, { cinema, player, playlist, truth }: Showing): Promise<void> {
  const stage = await cinema.open()
  try {
    await stage.evaluate(`watched.start(${JSON.stringify(player)}, ${JSON.stringify(playlist)}, ${AHEAD_S})`)
    for (const place of SEEKS) {
      const { time, grey } = (await stage.evaluate(`watched.frame(${place}, ${WIDTH}, ${HEIGHT})`)) as Frame
      if (time === null) t.fail(`no frame at ${place} s`, { report: await stage.evaluate('watched.report()') })
      else isOwn(t, { place, grey, truth })
    }
    t.strictSame(stage.said, [])
  } finally {
    await stage.close()
  }
}

/** The displayed frame is the film's frame at that time, or a neighbour, since a seek may land on either side. */
function isOwn(t: Test, { place, grey, truth }: { place: number; grey: readonly number[]; truth: Truth }): void {
  const near = truth.timesMs.flatMap((ms, at) => (Math.abs(ms - place * 1000) <= NEAR_MS ? [likeness(grey, truth.frames[at])] : []))
  t.ok(Math.max(...near) >= LEAST_DB, `at ${place} s it is like the film's own: ${Math.max(...near).toFixed(1)} dB`)
}
