/**
 * hls.js and Shaka Player in headless Chromium. The page comes from a server of its own, so that playlists and segments are asked
 * for from another origin, as a web player elsewhere or a cast device does.
 */
import { createReadStream } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { launch, type Page } from 'puppeteer-core'
import { findProgram } from '../programs.ts'

export type BrowserPlayer = 'hls' | 'shaka'

/** Times in milliseconds, places and holes in seconds. */
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
  /** Where to go, seconds. */
  readonly seeks: readonly number[]
}

export interface Cinema {
  watch(watch: Watch): Promise<Watched>
  close(): Promise<void>
}

const PLAY_MS = 2000
const SWITCH_MS = 3000
const REST_S = 3
const END_MS = 30_000
const resolvePackage = createRequire(import.meta.url).resolve
const SCRIPTS: Readonly<Record<string, string>> = {
  '/hls.js': resolvePackage('hls.js/dist/hls.min.js'),
  '/shaka.js': resolvePackage('shaka-player/dist/shaka-player.compiled.js'),
  '/page.js': join(import.meta.dirname, 'player-page.js'),
}
const PAGE = `<!doctype html><meta charset="utf-8"><title>Player</title><link rel="icon" href="data:,"><video muted></video>
<script src="/hls.js"></script><script src="/shaka.js"></script><script type="module" src="/page.js"></script>`

export const findBrowser = (): string | undefined => findProgram('chromium') ?? findProgram('google-chrome')

export async function openCinema(executablePath: string): Promise<Cinema> {
  const pages = await servePage()
  const { port } = pages.address() as AddressInfo
  const browser = await launch({
    executablePath,
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', '--mute-audio', '--disable-gpu'],
    protocolTimeout: 120_000,
  })
  return {
    async watch(watch) {
      const page = await browser.newPage()
      const said: string[] = []
      page.on('console', (message) => ['error', 'warn'].includes(message.type()) && said.push(`console: ${message.text()}`))
      page.on('pageerror', (error) => said.push(`page: ${String(error)}`))
      try {
        await page.goto(`http://127.0.0.1:${port}/`)
        const cues = await play(page, watch)
        const report = (await page.evaluate('watched.report()')) as Omit<Watched, 'cues'>
        return { ...report, cues, errors: [...report.errors, ...said] }
      } finally {
        await page.close()
      }
    },
    async close() {
      await browser.close()
      pages.close()
    },
  }
}

/** Start, play, seek, change quality, subtitles on, and to the end. Gives how many cues were shown. */
async function play(page: Page, { player, master, durationS, seeks }: Watch): Promise<number | null> {
  const call = (text: string): Promise<unknown> => page.evaluate(`watched.${text}`)
  const rest = (ms: number) => page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${ms}))`)
  await call(`start(${JSON.stringify(player)}, ${JSON.stringify(master)})`)
  await rest(PLAY_MS)
  for (const position of seeks) await call(`seek(${position})`)
  await call('seek(0.5)')
  const qualities = (await call('qualities()')) as readonly number[]
  for (const n of qualities.keys()) {
    await call(`choose(${n})`)
    await rest(SWITCH_MS)
  }
  await call('seek(0.5)')
  const cues = (await call('subtitles()')) as number | null
  await call(`seek(${Math.max(0, durationS - REST_S)})`)
  await call(`ended(${END_MS})`)
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
