/**
 * Measures the web client on a slow phone over generated films: paint times, the cost of navigation, and requests of an idle client. The
 * yardstick is a bare page with the same films, measured in turns in the same run.
 */
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { execa } from 'execa'
import { launch, type Browser, type CookieData } from 'puppeteer-core'
import { findProgram } from '../fixtures/programs.ts'
import { measurePlay } from './play.ts'
import { eventTimes, load, scroll, signInCookies, slowPhone, type Load, type Phone } from './slow-phone.ts'
import { median, wholeNumber, type Report } from './table.ts'
import type { WebServerData } from './web-server.ts'

export interface WebOptions {
  readonly films: number
  readonly scrollSeconds: number
  readonly idleSeconds: number
}

const RUNS = 5
const CLOSE_MS = 60_000
const ADMIN = { email: 'admin@localhost', password: 'a long password' }
const GOALS = {
  paintMs: 600,
  titles: { ms: 1000, ratio: 2.2 },
  largest: { ms: 1800, ratio: 1.7 },
  shift: 0.02,
  eventMs: 200,
  navigationMs: 100,
  nodes: 3000,
  heapBytes: 20e6,
  frames: 1.5,
  buildMs: 1000,
}
const MB = 1e6
const BUILD = join(import.meta.dirname, '../../web/build.ts')

export async function measureWeb(report: Report, options: WebOptions): Promise<void> {
  const executablePath = findProgram('chromium') ?? findProgram('google-chrome')
  if (executablePath === undefined) throw new Error('Chromium is not installed')
  await measureBuild(report)
  const folder = mkdtempSync(join(tmpdir(), 'marquee-web-'))
  mkdirSync(join(folder, 'data'))
  const data: WebServerData = { folder, films: options.films, admin: ADMIN }
  const worker = new Worker(new URL('web-server.ts', import.meta.url), { workerData: data })
  const browser = await launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'], protocolTimeout: 1_000_000 })
  try {
    const [{ url }] = (await once(worker, 'message')) as [{ url: string }]
    const site: Site = { browser, url, cookies: await signInCookies(url, ADMIN) }
    await measureLoads(report, site)
    await measureMoving(report, site, options)
    await measureIdle(report, site, options)
    await measurePlay(report, { browser, folder: join(folder, 'play') })
    worker.postMessage(null, [])
    await once(worker, 'message', { signal: AbortSignal.timeout(CLOSE_MS) })
  } finally {
    await browser.close()
    await worker.terminate()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Site {
  readonly browser: Browser
  readonly url: string
  readonly cookies: readonly CookieData[]
}

/** @throws Error with what the build complains of; it ends well then, too */
async function buildWeb(): Promise<void> {
  const { stderr } = await execa(process.execPath, [BUILD])
  if (stderr !== '') throw new Error(stderr)
}

async function measureBuild(report: Report): Promise<void> {
  await buildWeb()
  const startMs = performance.now()
  await buildWeb()
  const ms = performance.now() - startMs
  report({ what: 'build of the web client, warm', ours: inMs(ms), goal: `<= ${GOALS.buildMs} ms`, met: ms <= GOALS.buildMs })
}

async function withPhone<Result>({ browser, cookies }: Site, use: (phone: Phone) => Promise<Result>): Promise<Result> {
  const phone = await slowPhone(browser, cookies)
  try {
    return await use(phone)
  } finally {
    await phone.context.close()
  }
}

async function measureLoads(report: Report, site: Site): Promise<void> {
  const loads = { ours: [] as Load[], bare: [] as Load[] }
  // The first of each warms up the server's image cache.
  for (let n = 0; n <= RUNS; n++) {
    const ours = await withPhone(site, (phone) => load(phone, `${site.url}/`))
    const bare = await withPhone(site, (phone) => load(phone, `${site.url}/bare`))
    if (n === 0) continue
    loads.ours.push(ours)
    loads.bare.push(bare)
  }
  const of = (which: readonly Load[], name: keyof Load): number => median(which.map((one) => one[name]))
  const row = (what: string, name: keyof Load, { ms, ratio: most = Infinity }: { ms: number; ratio?: number }): void => {
    const [ours, bare] = [of(loads.ours, name), of(loads.bare, name)]
    const goal = `<= ${ms} ms${most === Infinity ? '' : `, ${most}x`}`
    report({ what, ours: inMs(ours), yardstick: inMs(bare), ratio: ours / bare, goal, met: ours <= ms && ours / bare <= most })
  }
  row('home, cold: first paint', 'paintMs', { ms: GOALS.paintMs })
  row('home, cold: titles can be read', 'titlesMs', GOALS.titles)
  row('home, cold: largest paint', 'largestMs', GOALS.largest)
  const [ours, bare] = [of(loads.ours, 'shift'), of(loads.bare, 'shift')]
  report({
    what: 'home, cold: layout shift',
    ours: ours.toFixed(3),
    yardstick: bare.toFixed(3),
    goal: `<= ${GOALS.shift}`,
    met: ours <= GOALS.shift,
  })
}

/** List, film and back; typing and marking; scrolling the whole list. */
async function measureMoving(report: Report, site: Site, { films, scrollSeconds }: WebOptions): Promise<void> {
  await withPhone(site, async (phone) => {
    const { page } = phone
    await load(phone, `${site.url}/films`)
    const times: number[] = []
    for (let n = 0; n < RUNS; n++) times.push(await listAfterMovie(phone))
    const ms = median(times)
    report({ what: 'film to list, warm', ours: inMs(ms), goal: `<= ${GOALS.navigationMs} ms`, met: ms <= GOALS.navigationMs })

    const events = await p95OfEvents(phone)
    report({ what: 'typing, opening and marking, p95', ours: inMs(events), goal: `<= ${GOALS.eventMs} ms`, met: events <= GOALS.eventMs })

    await load(phone, `${site.url}/films`)
    const ours = await scroll(phone, scrollSeconds)
    await load(phone, `${site.url}/bare`)
    await page.evaluate(`(${BARE_LIST})(${scrollSeconds * PX_PER_SECOND})`)
    await page.waitForNetworkIdle({ timeout: BARE_IMAGES_MS })
    const bare = await scroll(phone, scrollSeconds)
    const what = `${scrollSeconds} s of scrolling ${wholeNumber(films)} films`
    const { nodes, heapBytes, frames } = GOALS
    report({ what: `${what}: elements`, ours: wholeNumber(ours.mostNodes), goal: `<= ${nodes}`, met: ours.mostNodes <= nodes })
    report({
      what: `${what}: heap`,
      ours: `+${(ours.heapGrowthBytes / MB).toFixed(1)} MB`,
      goal: `<= +${heapBytes / MB} MB`,
      met: ours.heapGrowthBytes <= heapBytes,
    })
    const ratio = ours.frameMsP95 / bare.frameMsP95
    report({
      what: `${what}: frames, p95`,
      ours: inMs(ours.frameMsP95),
      yardstick: inMs(bare.frameMsP95),
      ratio,
      goal: `<= ${frames}x`,
      met: ratio <= frames,
    })
  })
}

const PX_PER_SECOND = 2400
/** The bare page asks for all of its posters at once. */
const BARE_IMAGES_MS = 180_000
/** The bare page with a plain list of 300 films, repeated until it is long enough: so the slow phone has their posters soon. */
const BARE_LIST = `async (px) => {
  const films = []
  for (let cursor = '', n = 0; n < 3 && cursor !== null; n++) {
    const page = await (await fetch('/v1/movies?view=card&limit=100' + (cursor && '&cursor=' + encodeURIComponent(cursor)))).json()
    films.push(...page.items)
    cursor = page.nextCursor
  }
  const list = document.createElement('div')
  list.style.cssText = 'display: grid; grid-template-columns: repeat(3, 1fr); gap: 14px'
  document.getElementById('app').append(list)
  while (list.offsetHeight < px + innerHeight)
    for (const { title, year, images } of films) {
      const card = document.createElement('a')
      const poster = new Image(120, 180)
      poster.loading = 'lazy'
      poster.src = images.poster + '?w=160&v=1'
      card.append(poster, title, ' ', String(year))
      list.append(card)
    }
}`

/** From the click until titles are displayed; the list was loaded before. */
async function listAfterMovie({ page }: Phone): Promise<number> {
  await page.locator('.row .card a').click()
  await page.waitForSelector('.movie-head')
  await page.waitForNetworkIdle()
  await page.evaluate('performance.clearMarks("titles")')
  const ms = await page.evaluate(`(async () => {
    const startMs = performance.now()
    document.querySelector('.places a[href="/films"]').click()
    while (performance.getEntriesByName('titles').length === 0) await new Promise(requestAnimationFrame)
    return performance.getEntriesByName('titles')[0].startTime - startMs
  })()`)
  await page.waitForSelector('.row .card a')
  return Number(ms)
}

const MARKS = 6

async function p95OfEvents(phone: Phone): Promise<number> {
  const { page } = phone
  await page.locator('.filters-toggle').click()
  await page.locator('.filters-toggle').click()
  await page.locator('.row .card a').click()
  await page.waitForSelector('[data-focus=watched]')
  for (let n = 0; n < MARKS; n++) await page.locator('[data-focus=watched]').click()
  await page.locator('.places a[href="/search"]').click()
  await page.waitForSelector('input[type=search]')
  for (const letter of 'winter king') await page.keyboard.type(letter)
  await page.waitForNetworkIdle()
  const times = (await eventTimes(phone)).toSorted((a, b) => a - b)
  return times[Math.floor(times.length * 0.95)] ?? NaN
}

async function measureIdle(report: Report, site: Site, { idleSeconds }: WebOptions): Promise<void> {
  await withPhone(site, async (phone) => {
    await load(phone, `${site.url}/`)
    const asked: string[] = []
    phone.page.on('request', (request) => void asked.push(request.url()))
    await sleep(idleSeconds * 1000)
    const others = asked.filter((address) => !address.includes('/api/events'))
    report({ what: `${idleSeconds} s idle: requests`, ours: String(others.length), goal: 'none', met: others.length === 0 })
  })
}

const inMs = (ms: number): string => `${Math.round(ms)} ms`
