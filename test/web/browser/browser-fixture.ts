/**
 * Runs the web client in a browser against a server in a separate process. Every complaint of the browser fails the test: a console error,
 * a policy report, an unhandled exception.
 *
 * The browser is Chromium; `MARQUEE_TEST_BROWSER=firefox` makes it Firefox, in which not all tests can run: it has no emulated devices, and
 * no devtools for the cache of pages or for media controls.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { launch, type Browser, type BrowserContext, type HTTPRequest, type Page } from 'puppeteer-core'
import type { Test } from 'tap'
import { makeClip, mediaSet } from '../../fixtures/media-files.ts'
import { findProgram, tellMissing } from '../../fixtures/programs.ts'
import { copyScannedFolder, scannedAgain } from '../../system/whole/scanned-folder.ts'
import { ADMIN, scannedMovies, signIn, startServer, type Api, type ServerProcess } from '../../system/whole/server-process.ts'
import { builtWeb } from './built-web.ts'
import { chromiumOptions, closeBrowser, findChromium, findWholeChromium } from '../../fixtures/browsers.ts'

export interface Account {
  readonly email: string
  readonly password: string
}

export interface WebServer {
  readonly url: string
  readonly api: Api
  readonly server: ServerProcess
  readonly dataDir: string
  readonly folder: string
}

/** A separate browser profile, like another person's or another device's. */
export interface Visitor {
  readonly page: Page
  readonly context: BrowserContext
  /** The browser's complaints on any of the visitor's pages. */
  readonly complaints: string[]
  /** Method and path, with the query, of each request to the API. */
  readonly requests: string[]
  /** URL of every request. */
  readonly addresses: string[]
  /** Another tab of the same browser, with the same monitoring. */
  open(): Promise<Page>
  /** Complaints that match are expected from now on: those of requests that the test has blocked. */
  expect(...patterns: readonly RegExp[]): void
}

export interface VisitorOptions {
  readonly width?: number
  readonly height?: number
  readonly language?: string
  readonly theme?: 'dark' | 'light'
}

const WAIT_MS = 30_000

export const firefox = (): string | undefined => findProgram('firefox') ?? findProgram('firefox-esr')
export const isFirefox = process.env['MARQUEE_TEST_BROWSER'] === 'firefox'

/** Of a whole file, on a machine that does other work. */
const FILE_MS = 900_000

/** One that hides all tabs but one, and caches pages to go back to. */
export const findWholeBrowser = isFirefox ? firefox : findWholeChromium

/** Reports if there is no browser; then the tests of the file are skipped. */
export function needsBrowser(t: Test, find = isFirefox ? firefox : findChromium): string | undefined {
  t.setTimeout(FILE_MS)
  const path = find()
  if (path === undefined) tellMissing(t, isFirefox ? 'firefox' : 'chromium', 'The web client is tested in it.')
  return path
}

export interface LaunchOptions {
  /** Whether the back/forward cache is on, as in people's browsers. Devtools see less of cached pages. */
  readonly keepsPages?: boolean
}

/** Videos play without a click, without sound; the system likes dark pages. */
const FIREFOX_SETTINGS = {
  'media.autoplay.default': 0,
  'media.autoplay.blocking_policy': 0,
  'media.volume_scale': '0.0',
  'layout.css.prefers-color-scheme.content-override': 0,
}

export async function launchBrowser(t: Test, executablePath: string, { keepsPages = false }: LaunchOptions = {}): Promise<Browser> {
  const browser = await launch(
    isFirefox
      ? { executablePath, protocolTimeout: 120_000, browser: 'firefox', extraPrefsFirefox: FIREFOX_SETTINGS }
      : { ...chromiumOptions(executablePath), ...(keepsPages ? { ignoreDefaultArgs: ['--disable-back-forward-cache'] } : {}) },
  )
  t.teardown(() => closeBrowser(browser))
  return browser
}

export interface WebServerOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Default: the media set, or clips made by ffmpeg if it is missing. */
  readonly media?: string
}

export async function startWebServer(t: Test, { env = {}, media }: WebServerOptions = {}): Promise<WebServer> {
  await builtWeb()
  const folder = await mkdtemp(join(tmpdir(), 'marquee-web-'))
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const isScanned = media === undefined && (await copyScannedFolder(dataDir))
  const server = await startServer({ dataDir, media: media ?? mediaSet()?.movies ?? (await clipFolder()), env })
  t.teardown(async () => {
    await server.end('SIGTERM')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  const api = await signIn(server.url)
  await scannedMovies(api)
  if (isScanned) await scannedAgain(server)
  return { url: server.url, api, server, dataDir, folder }
}

/**
 * Films of a folder that is made if the media set is missing; seconds. Players seek in the longest. Matroska, so that browsers play them
 * by HLS, with two languages, subtitles, and a collection.
 */
const CLIPS = { 'Clip for Seeking (2008)': 120, 'Bars (2010)': 12, 'Colours (2012)': 12 } as const
const SUBTITLE_SECONDS = 4

/** Made once a machine: processes that make it at the same time make the same. */
async function clipFolder(): Promise<string> {
  const folder = join(tmpdir(), 'marquee-test-clips', 'films')
  for (const [name, seconds] of Object.entries(CLIPS)) {
    const path = join(folder, name, `${name}.mkv`)
    if (existsSync(path)) continue
    const part = join(tmpdir(), 'marquee-test-clips', `${process.pid}-${name}.mkv`)
    await makeClip({ path: part, seconds, bFrames: 2, keyframeInterval: 48, audio: ['eng', 'ger'] })
    await mkdir(join(folder, name), { recursive: true })
    for (const language of ['eng', 'ger']) await writeFile(join(folder, name, `${name}.${language}.srt`), subtitlesOf(seconds))
    await writeFile(join(folder, name, 'movie.nfo'), `<movie><title>${name.slice(0, -7)}</title><set><name>Clips</name></set></movie>`)
    await rename(part, path)
  }
  return folder
}

function subtitlesOf(seconds: number): string {
  const time = (second: number): string =>
    `00:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')},000`
  const cues = Array.from({ length: seconds / SUBTITLE_SECONDS }, (_, index) => {
    const from = index * SUBTITLE_SECONDS
    return `${index + 1}\n${time(from)} --> ${time(from + SUBTITLE_SECONDS - 1)}\nFrom second ${from}\n`
  })
  return cues.join('\n')
}

export async function visit(
  t: Test,
  browser: Browser,
  { width = 1280, height = 800, language = 'en-GB', theme = 'dark' }: VisitorOptions = {},
): Promise<Visitor> {
  const context = await browser.createBrowserContext()
  t.teardown(async () => {
    // A context that is closed sends nothing more: pages end their sessions only if they are closed before it.
    for (const page of await context.pages()) await page.close().catch(() => undefined)
    await context.close().catch(() => undefined)
  })
  const complaints: string[] = []
  const requests: string[] = []
  const addresses: string[] = []
  const expected: RegExp[] = []
  const complain = (text: string): void => {
    if (!expected.some((pattern) => pattern.test(text))) complaints.push(text)
  }

  async function open(): Promise<Page> {
    const page = await context.newPage()
    await page.setViewport({ width, height })
    await page.setExtraHTTPHeaders({ 'accept-language': language })
    await page.evaluateOnNewDocument(`Object.defineProperty(navigator, 'languages', { get: () => [${JSON.stringify(language)}] })`)
    if (!isFirefox) await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }])
    page.setDefaultTimeout(WAIT_MS)
    watchRequests(page)
    page.on(
      'console',
      (message) => ['error', 'warn'].includes(message.type()) && complain(`console: ${message.text()} ${message.location().url ?? ''}`),
    )
    page.on('pageerror', (error) => complain(`page: ${String(error)}`))
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      addresses.push(request.url())
      if (/^\/(v1|api)\//.test(pathname)) requests.push(`${request.method()} ${pathname}${search}`)
    })
    return page
  }

  return { page: await open(), context, complaints, requests, addresses, open, expect: (...patterns) => void expected.push(...patterns) }
}

/** Through the sign-in page, like a person. */
export async function signInAt({ page }: Pick<Visitor, 'page'>, url: string, { email, password }: Account = ADMIN): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(password)
  await page.locator('form button.primary').click()
  await page.waitForSelector('nav.places')
  // It breaks off a navigation that is asked for while the first page still loads.
  if (isFirefox) await quiet(page)
}

/** Creates an account by the API. */
export async function makeUser(api: Api, name: string, more: object = {}): Promise<Account> {
  const account = { email: `${name.toLowerCase()}@example.org`, password: `the password of ${name}` }
  const { status } = await api.send('POST', '/v1/users', { ...account, name, ...more })
  if (status !== 201) throw new Error(`The account of ${name} could not be made: ${status}`)
  return account
}

/** Texts of the matching elements. */
export const textsOf = (page: Page, selector: string): Promise<readonly string[]> =>
  page.$$eval(selector, (elements) => elements.map((element) => element.textContent.trim()))

/** Requests to the API, except the event stream. */
export const askedBy = ({ requests }: Visitor): readonly string[] => requests.filter((request) => !request.startsWith('GET /api/events'))

/** Requests in flight of each page, except its event stream. */
const underWay = new WeakMap<Page, Set<HTTPRequest>>()
const QUIET_MS = 500

/** The browser's own count includes requests of pages that were left. */
function watchRequests(page: Page): void {
  const open = new Set<HTTPRequest>()
  underWay.set(page, open)
  page.on('request', (request) => void (request.url().includes('/api/events') || open.add(request)))
  page.on('requestfinished', (request) => void open.delete(request))
  page.on('requestfailed', (request) => void open.delete(request))
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) for (const request of open) if (!request.isNavigationRequest()) open.delete(request)
  })
}

/** Waits until the page has had no requests in flight for half a second, except for the event stream. */
export async function quiet(page: Page): Promise<void> {
  const deadline = Date.now() + WAIT_MS
  for (let since = Date.now(); Date.now() - since < QUIET_MS;) {
    if (Date.now() > deadline)
      throw new Error(`Still under way: ${[...(underWay.get(page) ?? [])].map((request) => request.url()).join(', ')}`)
    if ((underWay.get(page)?.size ?? 0) > 0) since = Date.now()
    await sleep(25)
  }
}

/** As the browser's own buttons do: the client stays, which is most of what a page costs. Under a dialog it would only close that. */
export async function moveTo(page: Page, url: string): Promise<void> {
  if (await page.$('dialog[open]')) return void (await page.goto(url))
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, url)
  await quiet(page)
}

/** Waits until the expression is true in the page, even in a hidden tab. */
export async function until(page: Page, expression: string, timeout = WAIT_MS): Promise<void> {
  await page.waitForFunction(expression, { timeout, polling: 50 })
}

const FADE_MS = 600

/** Waits until the images that are not lazy are there, and have faded in. */
export async function imagesShown(page: Page, timeout = WAIT_MS): Promise<void> {
  await until(page, `[...document.images].every((image) => image.loading === 'lazy' || image.complete)`, timeout)
  await sleep(FADE_MS)
}

/** Without the sign-in page: the browser's cache has nothing of the client yet. */
export async function signInByCookie({ context }: Visitor, { url, api }: Pick<WebServer, 'url' | 'api'>): Promise<void> {
  const { hostname } = new URL(url)
  await context.setCookie({
    name: 'session_token',
    value: api.token,
    domain: hostname,
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    expires: -1,
  })
}
