/**
 * Runs hls.js and Shaka Player in headless Chromium. The page has a server of its own, so that playlists and segments are cross-origin, as
 * for a web player elsewhere or a cast device.
 */
import { createReadStream } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { launch, type Browser, type Page } from 'puppeteer-core'
import { chromiumOptions, closeBrowser } from '../../fixtures/browsers.ts'

export type BrowserPlayer = 'hls' | 'shaka'

/** Times in milliseconds, positions and gaps in seconds. */
export interface Watched {
  readonly startMs: number | null
  readonly seeksMs: readonly number[]
  readonly stalls: readonly { readonly at: number; readonly ms: number }[]
  readonly holes: readonly number[]
  readonly errors: readonly string[]
  readonly durationS: number
  readonly height: number
  readonly cues: number | null
}

export interface Watch {
  readonly player: BrowserPlayer
  readonly master: string
  readonly durationS: number
  /** Seek targets, seconds. */
  readonly seeks: readonly number[]
}

/** A page with both players and the test scripts, controlled by lines of JavaScript. */
export interface Stage {
  evaluate(text: string): Promise<unknown>
  screenshot(path: `${string}.png`): Promise<void>
  /** Messages of the browser's console. */
  readonly said: readonly string[]
  close(): Promise<void>
}

/** A film that plays on until the page is closed. */
export interface Screening {
  look(): Promise<{ readonly positionS: number; readonly ended: boolean; readonly errors: readonly string[] }>
  close(): Promise<void>
}

export interface Cinema {
  watch(watch: Watch): Promise<Watched>
  /** Settles when the video advances, or has failed to. */
  show(player: BrowserPlayer, master: string): Promise<Screening>
  open(): Promise<Stage>
  close(): Promise<void>
}

const PLAY_MS = 2000
const SWITCH_MS = 3000
const REST_S = 3
const END_MS = 30_000
/** The browser logs each failed request; the player reports it too. */
const OF_A_REQUEST = /^console: Failed to load resource/
const resolvePackage = createRequire(import.meta.url).resolve
const SCRIPTS: Readonly<Record<string, string>> = {
  '/hls.js': resolvePackage('hls.js/dist/hls.min.js'),
  '/shaka.js': resolvePackage('shaka-player/dist/shaka-player.compiled.js'),
  '/page.js': join(import.meta.dirname, 'player-page.js'),
  '/trick.js': join(import.meta.dirname, 'trick-page.js'),
}
const PAGE = `<!doctype html><meta charset="utf-8"><title>Player</title><link rel="icon" href="data:,"><video muted></video>
<script src="/hls.js"></script><script src="/shaka.js"></script><script type="module" src="/page.js"></script><script type="module" src="/trick.js"></script>`

export async function openBrowserPlayers(executablePath: string): Promise<Cinema> {
  const pages = await servePage()
  const { port } = pages.address() as AddressInfo
  const browser = await launch(chromiumOptions(executablePath))
  return {
    async watch(watch) {
      const { page, said } = await openPage(browser, port)
      try {
        const cues = await play(page, watch)
        const report = (await page.evaluate('watched.report()')) as Omit<Watched, 'cues'>
        return { ...report, cues, errors: [...report.errors, ...said] }
      } finally {
        await page.close()
      }
    },
    async show(player, master) {
      const { page, said } = await openPage(browser, port)
      await call(page, `start(${JSON.stringify(player)}, ${JSON.stringify(master)})`)
      return {
        async look() {
          const { errors, ...seen } = (await call(page, 'look()')) as Awaited<ReturnType<Screening['look']>>
          return { ...seen, errors: [...errors, ...said.filter((text) => !OF_A_REQUEST.test(text))] }
        },
        close: () => page.close(),
      }
    },
    async open() {
      const { page, said } = await openPage(browser, port)
      return {
        evaluate: (text) => page.evaluate(text),
        screenshot: async (path) => void (await page.screenshot({ path })),
        said,
        close: () => page.close(),
      }
    },
    async close() {
      await closeBrowser(browser)
      pages.close()
    },
  }
}

async function openPage(browser: Browser, port: number) {
  const page = await browser.newPage()
  const said: string[] = []
  page.on('console', (message) => ['error', 'warn'].includes(message.type()) && said.push(`console: ${message.text()}`))
  page.on('pageerror', (error) => said.push(`page: ${String(error)}`))
  await page.goto(`http://127.0.0.1:${port}/`)
  return { page, said }
}

const call = (page: Page, text: string): Promise<unknown> => page.evaluate(`watched.${text}`)

/** Starts, plays, seeks, changes the quality, enables subtitles, and plays to the end. Returns the number of displayed cues. */
async function play(page: Page, { player, master, durationS, seeks }: Watch): Promise<number | null> {
  const rest = (ms: number) => page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${ms}))`)
  await call(page, `start(${JSON.stringify(player)}, ${JSON.stringify(master)})`)
  await rest(PLAY_MS)
  for (const position of seeks) await call(page, `seek(${position})`)
  await call(page, 'seek(0.5)')
  const qualities = (await call(page, 'qualities()')) as readonly number[]
  for (const n of qualities.keys()) {
    await call(page, `choose(${n})`)
    await rest(SWITCH_MS)
  }
  await call(page, 'seek(0.5)')
  const cues = (await call(page, 'subtitles()')) as number | null
  await call(page, `seek(${Math.max(0, durationS - REST_S)})`)
  await call(page, `ended(${END_MS})`)
  return cues
}

async function servePage(): Promise<Server> {
  const server = createServer((request, response) => {
    const script = SCRIPTS[request.url ?? '']
    response.setHeader('content-type', script ? 'text/javascript' : 'text/html')
    if (script) createReadStream(script).pipe(response)
    else response.end(PAGE)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return server
}
