/** Opens films in the player in Chromium, and inspects its display. */
import type { Browser, Page } from 'puppeteer-core'
import type { Test } from 'tap'
import { until } from '../../fixtures/until.ts'
import { scannedMovies } from '../../system/whole/server-process.ts'
import {
  launchBrowser,
  needsBrowser,
  signInAt,
  startWebServer,
  visit,
  type Account,
  type Visitor,
  type VisitorOptions,
  type WebServer,
} from './browser-fixture.ts'

const ASK_AGAIN_MS = 100
/** A segment that cannot be made yet: the player retries. */
const LATER = /status of 503 .*\/api\/stream\//

export interface Movie {
  readonly id: string
  readonly title: string
  readonly duration: number
}

export interface PlayerFixture {
  readonly web: WebServer
  readonly browser: Browser
  readonly movies: ReadonlyMap<string, Movie>
  /** The film with the title; undefined if the media set is missing. */
  readonly movie: (title: string) => Movie | undefined
  /** The film with the title, otherwise the longest. */
  readonly anyMovie: (title: string) => Movie
}

/** Undefined if there is no browser, which is reported. */
export async function openPlayerFixture(t: Test, env: Readonly<Record<string, string>> = {}): Promise<PlayerFixture | undefined> {
  const path = needsBrowser(t)
  if (path === undefined) return undefined
  const web = await startWebServer(t, { env })
  const movies = (await scannedMovies(web.api)) as unknown as ReadonlyMap<string, Movie>
  const browser = await launchBrowser(t, path)
  const movie = (title: string) => movies.get(title)
  const longest = [...movies.values()].toSorted((one, other) => other.duration - one.duration)[0]
  const anyMovie = (title: string): Movie => {
    const found = movie(title) ?? longest
    if (!found) throw new Error('There is no film')
    return found
  }
  return { web, browser, movies, movie, anyMovie }
}

export interface Seat extends Visitor {
  readonly watch: (movie: Movie, query?: string) => Promise<void>
}

/** A signed-in user. The browser must not complain until the test ends. */
export async function sit(
  t: Test,
  { web, browser }: PlayerFixture,
  { account, ...options }: VisitorOptions & { readonly account?: Account } = {},
): Promise<Seat> {
  const visitor = await visit(t, browser, options)
  visitor.expect(LATER)
  await signInAt(visitor, web.url, account)
  const watch = async (movie: Movie, query = '') => {
    await visitor.page.goto(`${web.url}/watch/${movie.id}${query}`)
    await moves(visitor.page)
  }
  return { ...visitor, watch }
}

/** Waits until the video has advanced. */
export async function moves(page: Page): Promise<void> {
  const from = await page.waitForFunction(() => {
    const video = document.querySelector('video')
    return video && !video.paused && !video.seeking && video.readyState > 2 ? { at: video.currentTime } : undefined
  })
  await page.waitForFunction(
    ({ at }) => (document.querySelector('video')?.currentTime ?? 0) > at,
    {},
    (await from.jsonValue()) ?? { at: 0 },
  )
}

export interface Look {
  readonly at: number
  readonly paused: boolean
  readonly rate: number
  readonly muted: boolean
  readonly volume: number
  readonly width: number
  readonly isFile: boolean
}

export const look = (page: Page): Promise<Look> =>
  page.$eval('video', (video) => ({
    at: video.currentTime,
    paused: video.paused,
    rate: video.playbackRate,
    muted: video.muted,
    volume: video.volume,
    width: video.videoWidth,
    isFile: video.src.endsWith('/file'),
  }))

export const isPaused = (page: Page, wanted: boolean) =>
  page.waitForFunction((wanted) => document.querySelector('video')?.paused === wanted, {}, wanted)

/** Waits until the video is within half a second or so of the position. */
export const isAt = (page: Page, position: number, within = 1.5) =>
  page.waitForFunction(
    (position, within) => {
      const video = document.querySelector('video')
      return video !== null && !video.seeking && Math.abs(video.currentTime - position) <= within
    },
    {},
    position,
    within,
  )

export const shows = (page: Page, selector: string, text: string | RegExp) =>
  page.waitForFunction(
    (selector, source) => [...document.querySelectorAll(selector)].some(({ textContent }) => new RegExp(source).test(textContent ?? '')),
    {},
    selector,
    typeof text === 'string' ? text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`) : text.source,
  )

/** Measures the longest stall of the video during an action, in milliseconds. */
export async function longestStall(page: Page, work: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => {
    const seen = { worst: 0, since: performance.now(), at: -1, on: true }
    Reflect.set(globalThis, 'stalls', seen)
    const step = (): void => {
      const at = document.querySelector('video')?.currentTime ?? 0
      const now = performance.now()
      seen.worst = Math.max(seen.worst, now - seen.since)
      if (at !== seen.at) Object.assign(seen, { at, since: now })
      if (seen.on) requestAnimationFrame(step)
    }
    step()
  })
  await work()
  return page.evaluate(() => {
    const seen = Reflect.get(globalThis, 'stalls') as { worst: number; on: boolean }
    seen.on = false
    return seen.worst
  })
}

/** Polls the server until the condition holds. */
export const comesTrue = (holds: () => Promise<boolean>, withinMs = 20_000): Promise<void> => until(holds, withinMs, ASK_AGAIN_MS)

/** Moves the pointer until the controls are shown: a move that comes while the window changes its size is lost. */
export async function wake(page: Page): Promise<void> {
  let at = 300
  await comesTrue(async () => {
    at = at === 300 ? 310 : 300
    await page.mouse.move(at, at)
    return (await page.$('.player.awake')) !== null
  })
}

/** Opens a menu by its button and chooses the item that starts with the text. */
export async function choose(page: Page, button: string, ...path: readonly string[]): Promise<void> {
  await wake(page)
  await page.locator(button).click()
  for (const text of path) {
    await shows(page, '.item', new RegExp(`^${text}`))
    await page.$$eval('.item', (items, text) => (items as HTMLElement[]).find((item) => item.textContent.startsWith(text))?.click(), text)
  }
}
