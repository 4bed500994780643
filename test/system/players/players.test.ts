/**
 * Runs real players on a running server: ffmpeg, mpv, GStreamer, and hls.js and Shaka Player in headless Chromium. Each starts, seeks far
 * forward and back, changes the quality, shows subtitles, and plays to the end. One film by default; `MARQUEE_TEST_PLAYERS=all` uses every
 * film of the media set and prints a table.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findChromium } from '../../fixtures/browsers.ts'
import t, { type Test } from 'tap'
import { makeClip, mediaSet, programs } from '../../fixtures/media-files.ts'
import { findProgram, tellMissing } from '../../fixtures/programs.ts'
import { scannedMovies } from '../whole/server-process.ts'
import type { Cinema, Watched } from './browser.ts'
import { cinemaFor, openPlayersServer, takeSeat, type PlayersServer } from './players-server.ts'
import { playWithFfmpeg, playWithGstreamer } from './launched.ts'
import { watchWithMpv } from './mpv.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

const isWhole = process.env['MARQUEE_TEST_PLAYERS'] === 'all'
const SEEKS = isWhole ? 20 : 6
/** Seconds, and milliseconds. */
const MOST_HOLE_S = 0.05
const MOST_STALL_MS = 1000
/** hls.js skips the gap before the first frame if the audio starts earlier: a frame at most. */
const FIRST_FRAME = /^bufferSeekOverHole .* from 0 to 0\.1/
/** Message of hls.js about a request that it cancels itself. */
const GIVEN_UP = /^aborted Aborted$/
const TIMEOUT_MS = isWhole ? 4 * 3600_000 : 230_000

t.setTimeout(TIMEOUT_MS)

interface Movie {
  readonly id: string
  readonly title: string
  readonly duration: number
}

interface Showing {
  readonly film: Movie
  readonly master: string
  readonly isCopied: boolean
  readonly seeks: readonly number[]
}

const browser = findChromium()
const mpv = findProgram('mpv')
const gstreamer = findProgram('gst-launch-1.0')
const table: string[] = []

t.test('real players', async (t) => {
  const folder = testFolder(t)
  const fixture = await openPlayersServer(t, { folder, media: await films(folder) })
  const cinema = browser ? await cinemaFor(t, browser) : undefined
  for (const film of [...(await scannedMovies(fixture.api)).values()] as unknown as readonly Movie[]) {
    if (!isWhole && !['Sintel', 'A Clip'].includes(film.title)) continue
    await t.test(film.title, (t) => showMovie(t, { fixture, cinema, film }))
  }
  if (isWhole) console.error(['film | ffmpeg | mpv | GStreamer | hls.js | Shaka', ...table].join('\n'))
})

async function films(folder: string): Promise<string> {
  const set = mediaSet()
  if (set) return isWhole ? set.movies : join(set.movies, 'Sintel (2010)')
  const media = join(folder, 'media')
  await mkdir(media)
  await makeClip({ path: join(media, 'A Clip (2020).mkv'), seconds: 24, bFrames: 2 })
  return media
}

interface MovieShow {
  readonly fixture: PlayersServer
  readonly cinema: Cinema | undefined
  readonly film: Movie
}

async function showMovie(t: Test, { fixture, cinema, film }: MovieShow): Promise<void> {
  const seat = await takeSeat(fixture, { movieId: film.id })
  t.teardown(() => seat.leave())
  const isCopied = seat.qualities[0]?.method !== 'transcode'
  const showing = { film, master: seat.master, isCopied, seeks: seeksIn(film.duration) }
  const cells = [
    await inFfmpeg(t, showing),
    await inMpv(t, showing),
    await inGstreamer(t, showing),
    await inBrowser(t, showing, cinema, 'hls'),
    await inBrowser(t, showing, cinema, 'shaka'),
  ]
  table.push([`${film.title}${isCopied ? '' : ' (transcoded)'}`, ...cells].join(' | '))
}

/** Far forward and back, in turns. */
function seeksIn(durationS: number): readonly number[] {
  return Array.from({ length: SEEKS }, (_, n) => {
    const share = n % 2 === 0 ? 0.85 - n * 0.015 : 0.1 + n * 0.02
    return Math.round(share * durationS * 100) / 100
  })
}

async function inFfmpeg(t: Test, { master, film }: Showing): Promise<string> {
  const { ffmpeg } = await programs
  const { errors, decodedS = 0 } = await playWithFfmpeg({ program: ffmpeg, master, durationS: film.duration })
  t.same(errors, [], 'ffmpeg complains of nothing')
  t.ok(Math.abs(decodedS - film.duration) < 0.5, `ffmpeg decodes ${decodedS} of ${film.duration} s`)
  return errors.length === 0 ? `${decodedS.toFixed(1)} s` : `${errors.length} errors`
}

async function inMpv(t: Test, { master, film, seeks }: Showing): Promise<string> {
  if (!mpv) return missing(t, 'mpv')
  const seen = await watchWithMpv({ program: mpv, master, durationS: film.duration, seeks })
  t.same(seen.errors, [], 'mpv complains of nothing')
  t.ok(seen.reachedEnd, 'mpv plays to the end')
  return `seeks ${spread(seen.seeksMs)} ms, stalls ${seen.stallsMs.length}${seen.errors.length > 0 ? `, ${seen.errors.length} errors` : ''}`
}

async function inGstreamer(t: Test, { master, film }: Showing): Promise<string> {
  if (!gstreamer) return missing(t, 'gst-launch-1.0')
  const { errors } = await playWithGstreamer({ program: gstreamer, master, durationS: film.duration })
  t.same(errors, [], 'GStreamer complains of nothing')
  return errors.length === 0 ? 'to the end' : `${errors.length} errors`
}

async function inBrowser(t: Test, showing: Showing, cinema: Cinema | undefined, player: 'hls' | 'shaka'): Promise<string> {
  if (!cinema) return missing(t, 'chromium')
  const { master, film, seeks, isCopied } = showing
  const seen = await cinema.watch({ player, master, durationS: film.duration, seeks })
  const errors = seen.errors.filter((text) => !FIRST_FRAME.test(text) && !GIVEN_UP.test(text))
  const hole = Math.max(0, ...seen.holes)
  const stall = Math.max(0, ...seen.stalls.map(({ ms }) => ms))
  t.same(errors, [], `${player} complains of nothing`)
  t.ok(hole <= MOST_HOLE_S, `${player}: the widest hole is ${hole} s`)
  if (isWhole && isCopied) t.ok(stall <= MOST_STALL_MS, `${player}: the longest stall is ${stall} ms`)
  if (seen.cues !== null) t.ok(seen.cues > 0, `${player} shows subtitles`)
  return cell(seen, { hole, stall, errors })
}

interface Verdict {
  readonly hole: number
  readonly stall: number
  readonly errors: readonly string[]
}

const cell = ({ startMs, seeksMs, cues }: Watched, { hole, stall, errors }: Verdict): string =>
  [
    `start ${startMs}`,
    `seeks ${spread(seeksMs)} ms`,
    `stall ${stall} ms`,
    `hole ${hole.toFixed(3)} s`,
    ...(cues === null ? [] : [`${cues} cues`]),
    ...(errors.length > 0 ? [`${errors.length} errors`] : []),
  ].join(', ')

/** Median and maximum. */
function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  return `${sorted[Math.floor(sorted.length / 2)] ?? 0}/${sorted.at(-1) ?? 0}`
}

function missing(t: Test, name: string): string {
  tellMissing(t, name)
  return '-'
}
