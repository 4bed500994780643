/**
 * Measures what the web client adds to the start of playback on a slow phone: from the click on "Play" to the first frame, less the request
 * that starts the session and the requests for the first segments, which the server and the network account for. The whole server runs in a
 * process of its own, on a generated film that it copies into HLS.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, CookieData } from 'puppeteer-core'
import { makeClip } from '../fixtures/media-files.ts'
import { ADMIN, scannedMovies, signIn, startServer } from '../system/whole/server-process.ts'
import { signInCookies, slowPhone } from './slow-phone.ts'
import { median, type Report } from './table.ts'

const RUNS = 5
const GOAL_MS = 250
const TITLE = 'A Small Film (2020)'
/** So little that the slow network carries it in less time than it lasts. */
const CLIP = { seconds: 30, width: 640, height: 360, bFrames: 2, output: ['-b:v', '300k', '-maxrate', '300k', '-bufsize', '300k'] } as const
const WAIT_MS = 60_000

export interface PlayOptions {
  readonly browser: Browser
  /** Empty, for the film and the data. */
  readonly folder: string
}

export async function measurePlay(report: Report, { browser, folder }: PlayOptions): Promise<void> {
  const media = join(folder, 'media')
  const dataDir = join(folder, 'server')
  await mkdir(dataDir, { recursive: true })
  await makeClip({ path: join(media, TITLE, `${TITLE}.mkv`), ...CLIP })
  const server = await startServer({ dataDir, media })
  try {
    const api = await signIn(server.url)
    const [movie] = (await scannedMovies(api)).values()
    if (!movie) throw new Error('The film was not found')
    const cookies = await signInCookies(server.url, ADMIN)
    const starts: Start[] = []
    // The first one makes the server read the film.
    for (let run = 0; run <= RUNS; run++) {
      const start = await play({ browser, cookies, page: `${server.url}/films/${movie.id}` })
      if (run > 0) starts.push(start)
    }
    const own = median(starts.map(ownMs))
    const whole = median(starts.map(({ frameMs }) => frameMs))
    report({
      what: 'play: click to first frame, less session and first segments',
      ours: `${Math.round(own)} ms (of ${Math.round(whole)} ms)`,
      goal: `<= ${GOAL_MS} ms`,
      met: own <= GOAL_MS,
    })
  } finally {
    await server.end('SIGTERM')
  }
}

interface Start {
  /** From the click, milliseconds. */
  readonly frameMs: number
  readonly sessionMs: number
  /** While at least one of the first segments of video and audio was awaited, milliseconds. */
  readonly segmentsMs: number
}

const ownMs = ({ frameMs, sessionMs, segmentsMs }: Start): number => frameMs - sessionMs - segmentsMs

interface Visit {
  readonly browser: Browser
  readonly cookies: readonly CookieData[]
  readonly page: string
}

async function play({ browser, cookies, page: address }: Visit): Promise<Start> {
  const phone = await slowPhone(browser, cookies)
  try {
    const { page } = phone
    await page.goto(address, { waitUntil: 'networkidle2', timeout: WAIT_MS })
    await page.waitForSelector('[data-focus=play]')
    await page.waitForNetworkIdle({ idleTime: 2000, timeout: WAIT_MS })
    return (await page.evaluate(MEASURE)) as Start
  } finally {
    await phone.context.close()
  }
}

/** The first segments are those whose request began before the first frame was shown. */
const MEASURE = `(async () => {
  const startMs = performance.now()
  document.querySelector('[data-focus=play]').click()
  let video
  while (!(video = document.querySelector('video'))) await new Promise(requestAnimationFrame)
  await new Promise((resolve) => video.requestVideoFrameCallback(resolve))
  const endMs = performance.now()
  const requests = performance.getEntriesByType('resource').filter(({ startTime }) => startTime >= startMs && startTime < endMs)
  const session = requests.find(({ name }) => new URL(name).pathname === '/v1/playback/sessions')
  const segments = requests.filter(({ name }) => /\\/(init\\.mp4|seg-)/.test(name))
  return {
    frameMs: endMs - startMs,
    sessionMs: session.duration,
    segmentsMs: Math.max(...segments.map(({ responseEnd }) => responseEnd)) - Math.min(...segments.map(({ startTime }) => startTime)),
  }
})()`
