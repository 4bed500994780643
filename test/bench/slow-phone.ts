/** Simulates a cheap phone on a slow network in Chromium: 150 ms latency, 1.6 and 0.75 Mbit/s, a fourth of this machine's speed. */
import type { Browser, BrowserContext, CDPSession, CookieData, Page } from 'puppeteer-core'

const MBIT = 1_000_000 / 8
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1.6 * MBIT, uploadThroughput: 0.75 * MBIT }
const SLOWER = 4
const VIEWPORT = { width: 412, height: 800, isMobile: true, hasTouch: true }

export interface Phone {
  readonly page: Page
  readonly context: BrowserContext
  readonly session: CDPSession
}

/** Records the browser's paints, layout shifts and events from the start of each page. */
const NOTE = `
  window.seen = { lcp: 0, cls: 0, events: [] }
  const watch = (type, note, more) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...more })
  watch('largest-contentful-paint', ({ startTime }) => (window.seen.lcp = startTime))
  watch('layout-shift', ({ value, hadRecentInput }) => hadRecentInput || (window.seen.cls += value))
  watch('event', ({ duration }) => window.seen.events.push(duration), { durationThreshold: 16 })`

/** A browser with an empty cache and a signed-in user. */
export async function slowPhone(browser: Browser, cookies: readonly CookieData[]): Promise<Phone> {
  const context = await browser.createBrowserContext()
  await context.setCookie(...cookies)
  const page = await context.newPage()
  await page.setViewport(VIEWPORT)
  await page.evaluateOnNewDocument(NOTE)
  const session = await page.createCDPSession()
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', NETWORK)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  return { page, context, session }
}

export interface Load {
  readonly paintMs: number
  readonly titlesMs: number
  readonly largestMs: number
  readonly shift: number
}

const LOAD_MS = 60_000

/** Opens the page and waits until the network is idle. */
export async function load({ page }: Phone, url: string): Promise<Load> {
  await page.goto(url, { waitUntil: 'networkidle2', timeout: LOAD_MS })
  await page.waitForFunction('performance.getEntriesByName("titles").length > 0', { timeout: LOAD_MS })
  return (await page.evaluate(`({
    paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
    titlesMs: performance.getEntriesByName('titles')[0].startTime,
    largestMs: seen.lcp,
    shift: seen.cls,
  })`)) as Load
}

/** Time from each user action to the next frame. */
export const eventTimes = async ({ page }: Phone): Promise<readonly number[]> => (await page.evaluate('seen.events')) as number[]

export interface Scrolled {
  readonly mostNodes: number
  readonly heapGrowthBytes: number
  readonly frameMsP95: number
}

/** Scrolls steadily, and measures its cost. */
export async function scroll({ page, session }: Phone, seconds: number): Promise<Scrolled> {
  const heap = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage')
    return (await page.metrics()).JSHeapUsedSize ?? 0
  }
  const before = await heap()
  const { mostNodes, frames } = (await page.evaluate(`(async () => {
    const frames = []
    let mostNodes = 0
    const end = performance.now() + ${seconds * 1000}
    for (let last = performance.now(); last < end; ) {
      const now = await new Promise(requestAnimationFrame)
      frames.push(now - last)
      last = now
      scrollBy(0, 40)
      mostNodes = Math.max(mostNodes, document.getElementsByTagName('*').length)
    }
    return { mostNodes, frames }
  })()`)) as { readonly mostNodes: number; readonly frames: readonly number[] }
  const frameMsP95 = frames.toSorted((a, b) => a - b)[Math.floor(frames.length * 0.95)] ?? NaN
  return { mostNodes, frameMsP95, heapGrowthBytes: (await heap()) - before }
}

/** Of a new login. */
export async function signInCookies(url: string, account: Account): Promise<readonly CookieData[]> {
  const { headers } = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  return headers.getSetCookie().map((line) => {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    return { name: pair.slice(0, at), value: pair.slice(at + 1), domain: '127.0.0.1', path: '/', httpOnly: true }
  })
}

export interface Account {
  readonly email: string
  readonly password: string
}
