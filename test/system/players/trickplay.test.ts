/**
 * Tests seek previews and I-frames in real players on a running server: hls.js and Shaka Player in headless Chromium, with a film whose
 * brightness encodes its time. `MARQUEE_TEST_SCREENSHOTS` names a folder for screenshots.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { findChromium } from '../../fixtures/browsers.ts'
import t, { type Test } from 'tap'
import { programs } from '../../fixtures/media-files.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { scannedMovies } from '../whole/server-process.ts'
import type { Cinema, Stage } from './browser.ts'
import { cinemaFor, openPlayersServer, takeSeat, type PlayersServer, type Seat } from './players-server.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

const FILM_S = 61
/** Largest change of a colour by encoding and scaling. */
const MOST_OFF = 8
const TRICKPLAY_MS = 120_000
const TIMEOUT_MS = 300_000
/** Messages of hls.js about the gap before the first frame, and about a request that it cancels itself. */
const USUAL = /^hls bufferSeekOverHole .* from 0 to 0\.1|aborted Aborted$/
const screenshots = process.env['MARQUEE_TEST_SCREENSHOTS']

t.setTimeout(TIMEOUT_MS)

type Colour = readonly [red: number, green: number, blue: number]

interface Shown {
  readonly time: number
  readonly colour: Colour
}

interface Thumbnail {
  readonly url: string
  readonly place: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly colour: Colour
}

interface Plan {
  readonly interval: number
  readonly w: number
  readonly h: number
  readonly cols: number
  readonly rows: number
  readonly ptsList: readonly number[]
}

interface Showing {
  readonly cinema: Cinema
  readonly master: string
  readonly vtt: string
  readonly plan: Plan
}

/** Grey, in four steps per second, since players render the colours of a small video differently. */
async function makeColours(path: string): Promise<void> {
  const { ffmpeg } = await programs
  const colours = `nullsrc=size=32x18:rate=24:duration=${FILM_S},format=gbrp,geq=r='4*T':g='4*T':b='4*T',scale=640:360:flags=neighbor`
  const sound = `sine=frequency=440:sample_rate=48000:duration=${FILM_S}`
  const inputs = ['-f', 'lavfi', '-i', `${colours},format=yuv420p`, '-f', 'lavfi', '-i', sound]
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '18', '-g', '48', '-keyint_min', '48', '-sc_threshold', '0', '-bf', '2']
  await execa(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...inputs, ...x264, '-c:a', 'aac', '-b:a', '64k', path], { timeout: 120_000 })
}

const timeOf = ([red]: Colour): number => red / 4
const isOf = (time: number, colour: Colour): boolean => colour.every((part) => Math.abs(part - 4 * time) <= MOST_OFF)

t.test('winding and scrubbing', async (t) => {
  const browser = findChromium()
  if (!browser) return tellMissing(t, 'chromium')
  const folder = testFolder(t)
  const media = join(folder, 'media')
  await mkdir(media)
  await makeColours(join(media, 'Colours (2020).mp4'))
  const fixture = await openPlayersServer(t, { folder, media })
  const cinema = await cinemaFor(t, browser)
  const movie = (await scannedMovies(fixture.api)).get('Colours')
  const seat = await seatWithTrickplay(fixture, String(movie?.id))
  t.teardown(() => seat.leave())
  const vtt = seat.urlOf(String(seat.trickplayUrl))
  const plan = (await (await fetch(vtt.replace('thumbnails.vtt', 'plan.json'))).json()) as Plan
  const showing: Showing = { cinema, master: seat.master, vtt, plan }
  await t.test('hls.js', (t) => withHls(t, showing))
  await t.test('Shaka', (t) => withShaka(t, showing))
})

/** Thumbnails are made some time after the scan: later sessions have them. */
async function seatWithTrickplay(fixture: PlayersServer, movieId: string): Promise<Seat> {
  for (const deadline = Date.now() + TRICKPLAY_MS; ; await sleep(500)) {
    const seat = await takeSeat(fixture, { movieId })
    if (seat.trickplayUrl !== null) return seat
    await seat.leave()
    if (Date.now() > deadline) throw new Error('No trickplay was made')
  }
}

const call = (stage: Stage, name: string, ...given: readonly unknown[]): Promise<unknown> =>
  stage.evaluate(`trick.${name}(${given.map((one) => JSON.stringify(one)).join()})`)

async function complaintsOf(stage: Stage): Promise<readonly string[]> {
  const errors = (await call(stage, 'errors')) as readonly string[]
  return [...errors, ...stage.said].filter((text) => !USUAL.test(text))
}

async function withHls(t: Test, { cinema, master, vtt, plan }: Showing): Promise<void> {
  const stage = await cinema.open()
  const variants = (await call(stage, 'startHls', master)) as readonly { url: string; resolution: string }[]
  t.equal(variants.length, 1, 'hls.js finds the I-frames')
  t.match(variants[0], { url: /\/original\/iframes\.m3u8\?token=/, resolution: '640x360' })
  const shown = (await call(stage, 'windHls', [49.5, 10.3, 57, 30.1])) as readonly Shown[]
  for (const { time, colour } of shown) t.ok(isOf(time - (time % 4), colour), `at ${time} s the I-frame before it: ${colour.join()}`)
  for (const time of [0, 15, 34.9, 55]) await isThumbnail(t, { stage, vtt, plan, time })
  if (screenshots) {
    await call(stage, 'bubble', vtt, 55, 560)
    await stage.screenshot(`${join(screenshots, 'hls-thumbnail')}.png`)
  }
  t.strictSame(await complaintsOf(stage), [], 'hls.js complains of nothing')
  await stage.close()
}

interface Look {
  readonly stage: Stage
  readonly vtt: string
  readonly plan: Plan
  readonly time: number
}

/** The seek bar shows the film's frame of the cue that contains the time. */
async function isThumbnail(t: Test, { stage, vtt, plan, time }: Look): Promise<Thumbnail> {
  const thumbnail = (await call(stage, 'thumbnail', vtt, time)) as Thumbnail & { from: number; to: number }
  const index = Math.floor(time / plan.interval)
  const pts = plan.ptsList[index] ?? -1
  t.match(thumbnail, { from: index * plan.interval, place: { w: plan.w, h: plan.h } })
  t.ok(isOf(pts, thumbnail.colour), `the thumbnail at ${time} s is that of ${pts} s: ${thumbnail.colour.join()}`)
  t.ok(Math.abs(pts - time) <= plan.interval, 'which is near')
  return thumbnail
}

async function withShaka(t: Test, { cinema, master, vtt, plan }: Showing): Promise<void> {
  const stage = await cinema.open()
  const tracks = (await call(stage, 'startShaka', master)) as readonly { id: number; width: number; height: number }[]
  t.match(tracks, [{ width: plan.w * plan.cols, height: plan.h * plan.rows }], 'Shaka finds the image playlist, and what its sheets hold')
  for (const time of [0, 15, 34.9, 55]) {
    const own = (await call(stage, 'thumbnailShaka', tracks[0]?.id, time)) as Thumbnail
    const { place, colour, url } = await isThumbnail(t, { stage, vtt, plan, time })
    t.strictSame([own.place, own.colour], [place, colour], `Shaka shows the same tile at ${time} s`)
    t.equal(new URL(own.url).pathname, new URL(url).pathname)
  }
  const wound = (await call(stage, 'windShaka', 4, 40)) as { asked: readonly string[]; shown: readonly Shown[]; rate: number; ms: number }
  const frames = wound.asked.filter((name) => name.startsWith('iframe-'))
  t.ok(frames.length >= 5, `it winds by I-frames: ${frames.join()}`)
  t.equal(wound.rate, 1, 'and then plays on')
  const wrong = wound.shown.filter(({ time, colour }) => time - timeOf(colour) < -2 || time - timeOf(colour) > 6)
  t.strictSame(
    wrong.slice(0, 5),
    [],
    `what is shown while winding is of that time, ${wound.shown.length} looks in ${Math.round(wound.ms)} ms`,
  )
  if (screenshots) {
    await call(stage, 'bubble', vtt, 55, 560)
    await stage.screenshot(`${join(screenshots, 'shaka-thumbnail')}.png`)
  }
  t.strictSame(await complaintsOf(stage), [], 'Shaka complains of nothing')
  await stage.close()
}
