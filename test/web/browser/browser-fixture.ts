/**
 * The web client in Chromium against a server in a process of its own. Whatever the browser complains of fails the test: an error on the
 * console, a report of the policy, an exception that nobody handles.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, type Browser, type BrowserContext, type Page } from 'puppeteer-core'
import type { Test } from 'tap'
import { mediaSet } from '../../fixtures/films.ts'
import { clip } from '../../fixtures/clips.ts'
import { findProgram, tellMissing } from '../../fixtures/programs.ts'
import { ADMIN, scannedMovies, signIn, startServer, type Api, type ServerProcess } from '../../system/whole/server-process.ts'
import { buildWeb } from '../../../web/build.ts'

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

/** A browser profile of its own, as of another person or another device. */
export interface Visitor {
  readonly page: Page
  readonly context: BrowserContext
  /** What the browser complained of, on any page of the visitor. */
  readonly complaints: string[]
  /** Method and path, with the query, of each request to the API. */
  readonly requests: string[]
  /** Complaints that match are expected from now on: those of requests that the test has refused. */
  expect(...patterns: readonly RegExp[]): void
}

export interface VisitorOptions {
  readonly width?: number
  readonly height?: number
  readonly language?: string
  readonly theme?: 'dark' | 'light'
}

const WAIT_MS = 30_000

export const chromium = (): string | undefined => findProgram('chromium') ?? findProgram('google-chrome')

/** Says loudly if there is no browser; then the tests of the file are over. */
export function needsChromium(t: Test): string | undefined {
  const path = chromium()
  if (path === undefined) tellMissing(t, 'chromium', 'The web client is tested in it.')
  return path
}

export async function launchBrowser(t: Test, executablePath: string): Promise<Browser> {
  const browser = await launch({
    executablePath,
    args: ['--no-sandbox', '--mute-audio', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
    protocolTimeout: 120_000,
  })
  t.teardown(() => browser.close())
  return browser
}

export interface WebServerOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Default: the media set, or a clip made by ffmpeg if it is not there. */
  readonly media?: string
}

export async function startWebServer(t: Test, { env = {}, media }: WebServerOptions = {}): Promise<WebServer> {
  await buildWeb()
  const folder = await mkdtemp(join(tmpdir(), 'marquee-web-'))
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const server = await startServer({ dataDir, media: media ?? mediaSet()?.movies ?? (await clipFolder()), env })
  t.teardown(async () => {
    await server.end('SIGTERM')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  const api = await signIn(server.url)
  await scannedMovies(api)
  return { url: server.url, api, server, dataDir, folder }
}

/** A folder with one film. */
async function clipFolder(): Promise<string> {
  return join(await clip('b-frames.mkv'), '..')
}

export async function visit(
  t: Test,
  browser: Browser,
  { width = 1280, height = 800, language = 'en-GB', theme = 'dark' }: VisitorOptions = {},
): Promise<Visitor> {
  const context = await browser.createBrowserContext()
  t.teardown(() => context.close().catch(() => undefined))
  const page = await context.newPage()
  await page.setViewport({ width, height })
  await page.setExtraHTTPHeaders({ 'accept-language': language })
  await page.evaluateOnNewDocument(`Object.defineProperty(navigator, 'languages', { get: () => [${JSON.stringify(language)}] })`)
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }])
  page.setDefaultTimeout(WAIT_MS)
  const complaints: string[] = []
  const requests: string[] = []
  const expected: RegExp[] = []
  const complain = (text: string): void => {
    if (!expected.some((pattern) => pattern.test(text))) complaints.push(text)
  }
  page.on(
    'console',
    (message) => ['error', 'warn'].includes(message.type()) && complain(`console: ${message.text()} ${message.location().url ?? ''}`),
  )
  page.on('pageerror', (error) => complain(`page: ${String(error)}`))
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (/^\/(v1|api)\//.test(pathname)) requests.push(`${request.method()} ${pathname}${search}`)
  })
  return { page, context, complaints, requests, expect: (...patterns) => void expected.push(...patterns) }
}

/** Through the sign-in page, as a person does. */
export async function signInAt({ page }: Visitor, url: string, { email, password }: Account = ADMIN): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(password)
  await page.locator('form button.primary').click()
  await page.waitForSelector('nav.places')
}

/** Makes an account by the API. */
export async function makeUser(api: Api, name: string, more: object = {}): Promise<Account> {
  const account = { email: `${name.toLowerCase()}@example.org`, password: `the password of ${name}` }
  const { status } = await api.send('POST', '/v1/users', { ...account, name, ...more })
  if (status !== 201) throw new Error(`The account of ${name} could not be made: ${status}`)
  return account
}
