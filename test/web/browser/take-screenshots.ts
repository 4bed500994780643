/**
 * Takes the screenshots of the README from a real server: `node test/web/browser/take-screenshots.ts <media folder> [<output folder>]`.
 * Needs Chromium. Two films are begun and one is watched, so that the first page has something to continue.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { launch, type Browser, type Page } from 'puppeteer-core'
import { chromiumOptions, findChromium } from '../../fixtures/browsers.ts'
import sharp from 'sharp'
import { scannedMovies, signIn, startServer, type Api } from '../../system/whole/server-process.ts'
import { imagesShown, signInAt, until } from './browser-fixture.ts'

const WIDE = { width: 1280, height: 800, deviceScaleFactor: 1.5 }
const PHONE = { width: 390, height: 800, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
/** Of the files, pixels. */
const WIDE_PIXELS = 1200
const PHONE_PIXELS = 520
const QUALITY = 82
/** The scan's images are still being made. */
const WAIT_MS = 300_000
const BEGUN = ['Sintel', 'Tears of Steel', 'Chaplin Street Scene']
const WATCHED = ['Flower']

interface Screenshot {
  readonly name: string
  readonly path: string
  readonly theme: 'dark' | 'light'
  readonly isPhone?: boolean
  /** Awaited before the screenshot is taken. */
  readonly until: string
}

async function begin(api: Api, films: ReadonlyMap<string, { readonly id: string; readonly duration: number }>): Promise<void> {
  for (const title of BEGUN) {
    const film = films.get(title)
    if (film) await api.send('PUT', `/v1/movies/${film.id}/resume`, { position: film.duration * 0.4 })
  }
  for (const title of WATCHED) await api.send('PUT', `/v1/movies/${films.get(title)?.id}/watched`)
}

async function signedIn(browser: Browser, url: string, { isPhone = false, theme }: Screenshot): Promise<Page> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  await page.setViewport(isPhone ? PHONE : WIDE)
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }])
  await signInAt({ page }, url)
  return page
}

async function take(browser: Browser, url: string, screenshot: Screenshot, folder: string): Promise<void> {
  const page = await signedIn(browser, url, screenshot)
  await page.goto(`${url}${screenshot.path}`)
  await until(page, screenshot.until, WAIT_MS)
  await imagesShown(page, WAIT_MS)
  const file = join(folder, `${screenshot.name}.webp`)
  await sharp(await page.screenshot())
    .resize({ width: screenshot.isPhone ? PHONE_PIXELS : WIDE_PIXELS })
    .webp({ quality: QUALITY })
    .toFile(file)
  console.log(file)
  await page.browserContext().close()
}

/** With a film that plays, its controls awake. */
const PLAYS = `(() => { const video = document.querySelector('video'); return video && video.currentTime > 0 && video.readyState > 2 })()`

const screenshotsOf = (film: string): readonly Screenshot[] => [
  { name: 'home', path: '/', theme: 'dark', until: `document.querySelectorAll('.shelf').length > 1` },
  { name: 'films', path: '/films', theme: 'light', until: `document.querySelectorAll('.card').length > 6` },
  { name: 'film', path: `/films/${film}`, theme: 'dark', until: `document.querySelector('article.movie')` },
  { name: 'player', path: `/watch/${film}?t=20`, theme: 'dark', until: PLAYS },
  { name: 'phone-home', path: '/', theme: 'dark', isPhone: true, until: `document.querySelectorAll('.shelf').length > 1` },
  { name: 'phone-film', path: `/films/${film}`, theme: 'light', isPhone: true, until: `document.querySelector('article.movie')` },
]

async function main([media, output = join(import.meta.dirname, '../../../docs/images')]: readonly string[]): Promise<void> {
  const executablePath = findChromium()
  if (media === undefined || executablePath === undefined) throw new Error('Needs a folder of films as its argument, and Chromium')
  const dataDir = mkdtempSync(join(tmpdir(), 'marquee-screenshots-'))
  mkdirSync(output, { recursive: true })
  const server = await startServer({ dataDir, media: resolve(media) })
  const browser = await launch(chromiumOptions(executablePath))
  try {
    const api = await signIn(server.url)
    const films = await scannedMovies(api)
    await begin(api, films)
    const film = films.get('Sintel') ?? [...films.values()][0]
    for (const screenshot of screenshotsOf(film?.id ?? '')) await take(browser, server.url, screenshot, output)
  } finally {
    await browser.close()
    await server.end('SIGTERM')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

await main(process.argv.slice(2))
