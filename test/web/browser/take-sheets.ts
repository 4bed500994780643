/**
 * Takes a screenshot of every page in both themes at three widths, and puts the six of a page on one sheet, for people to look at:
 * `node test/web/browser/take-sheets.ts <media folder> <output folder> [<regular expression of pages' names>]`. Needs Chromium. Long pages are cut.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { launch, type Browser, type Page } from 'puppeteer-core'
import { chromiumOptions, findChromium } from '../../fixtures/browsers.ts'
import sharp, { type OverlayOptions } from 'sharp'
import { scannedMovies, signIn, startServer } from '../../system/whole/server-process.ts'
import { imagesShown, signInAt, until } from './browser-fixture.ts'
import { everyPage, PLAYS_ON, type SomePage } from './every-page.ts'

const WIDTHS = [390, 820, 1440]
const THEMES = ['dark', 'light'] as const
const HEIGHT = 900
/** Of a long page, pixels. */
const MOST_HEIGHT = 1400
const SCALE = 0.55
const GAP = 12
const WAIT_MS = 120_000

const SIGNED_OUT: readonly SomePage[] = [
  { name: 'signing in', path: '/sign-in', shows: 'input[name=password]' },
  { name: 'signing up', path: '/sign-up', shows: 'main h1' },
]

/** Paused, so that its controls stay. */
const playerOf = (movieId: string): SomePage => ({
  name: 'the player',
  path: `/watch/${movieId}?t=2`,
  shows: '.player',
  after: async (page) => {
    await until(page, `document.querySelector('video')?.readyState > 2`, WAIT_MS)
    await page.evaluate(`document.querySelector('video').pause()`)
  },
})

const scaled = (pixels: number): number => Math.round(pixels * SCALE)

async function openPage(browser: Browser, theme: (typeof THEMES)[number]): Promise<Page> {
  const page = await (await browser.createBrowserContext()).newPage()
  page.setDefaultTimeout(WAIT_MS)
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }])
  return page
}

async function shot(page: Page, url: string, { path, shows, after }: SomePage, width: number): Promise<Buffer> {
  await page.setViewport({ width, height: HEIGHT })
  await page.goto(`${url}${path}`)
  await page.waitForSelector(shows)
  await after?.(page)
  await imagesShown(page, WAIT_MS)
  const whole = Number(await page.evaluate('document.documentElement.scrollHeight'))
  const height = Math.min(MOST_HEIGHT, Math.max(HEIGHT, whole))
  const image = await page.screenshot({ clip: { x: 0, y: 0, width, height }, captureBeyondViewport: true })
  return sharp(image)
    .resize({ width: scaled(width) })
    .png()
    .toBuffer()
}

async function takeSheet(pages: readonly Page[], url: string, some: SomePage, file: string): Promise<void> {
  const parts: OverlayOptions[] = []
  let top = GAP
  for (const page of pages) {
    let [left, lowest] = [GAP, 0]
    for (const width of WIDTHS) {
      const input = await shot(page, url, some, width)
      parts.push({ input, left, top })
      left += scaled(width) + GAP
      lowest = Math.max(lowest, (await sharp(input).metadata()).height)
    }
    top += lowest + GAP
  }
  const width = WIDTHS.reduce((sum, one) => sum + scaled(one) + GAP, GAP)
  await sharp({ create: { width, height: top, channels: 3, background: '#808080' } })
    .composite(parts)
    .png()
    .toFile(file)
  console.log(file)
}

async function main([media, output, wanted = '']: readonly string[]): Promise<void> {
  const executablePath = findChromium()
  if (media === undefined || output === undefined || executablePath === undefined)
    throw new Error('Needs a folder of films and an output folder as its arguments, and Chromium')
  const dataDir = mkdtempSync(join(tmpdir(), 'marquee-sheets-'))
  mkdirSync(output, { recursive: true })
  const server = await startServer({ dataDir, media: resolve(media), env: PLAYS_ON })
  const browser = await launch(chromiumOptions(executablePath))
  try {
    const api = await signIn(server.url)
    const [movie] = (await scannedMovies(api)).values()
    const inside = [...(await everyPage(api)), playerOf(movie?.id ?? '')].map((some, index) => ({ some, index: index + SIGNED_OUT.length }))
    const pages = await Promise.all(THEMES.map((theme) => openPage(browser, theme)))
    const take = async (some: SomePage, index: number): Promise<void> => {
      if (!new RegExp(wanted).test(some.name)) return
      const file = join(output, `${String(index).padStart(2, '0')}-${some.name.replaceAll(/\W+/g, '-')}.png`)
      await takeSheet(pages, server.url, some, file).catch((cause: unknown) => console.error(some.name, cause))
    }
    for (const [index, some] of SIGNED_OUT.entries()) await take(some, index)
    for (const page of pages) await signInAt({ page }, server.url)
    for (const { some, index } of inside) await take(some, index)
  } finally {
    await browser.close()
    await server.end('SIGTERM')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

await main(process.argv.slice(2))
