/**
 * Measures the catalogue over generated films: every filter and sort of the movie list with pages of 20, against a bare Fastify route that
 * sends the same bytes; commands; the rebuild of the views; memory.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Position } from '../../src/events/position.ts'
import { measureCommands } from './commands.ts'
import { measureReads } from './reads.ts'
import { measureRebuild } from './rebuild.ts'
import { measureMemory } from './start.ts'
import { quantiles, wholeNumber, type Report } from './table.ts'

interface Served {
  readonly ports: { readonly ours: number; readonly bare: number }
  readonly eventLog: string
  /** Position of the last event of the set-up. */
  readonly head: Position
  readonly libraryId: string
  readonly otherLibraryId: string
  readonly email: string
  readonly password: string
  readonly appendSeconds: number
  readonly behindSeconds: number
}

const PAGES = 100
const WARM_UP = 20
const CLOSE_MS = 60_000
/** For a list: its median against the bare route's, and its 99th percentile against its median. */
const GOAL = { ratio: 0.4, tail: 10 }
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const SORTS = ['title', 'year', 'releaseDate', 'addedAt', 'rating', 'duration', 'size', 'lastPlayedAt', 'playCount', 'random']

const queriesOf = ({ libraryId, otherLibraryId }: Served): readonly string[] => [
  ...SORTS.flatMap((sort) => [`sort=${sort}`, `sort=${sort}&order=${sort === 'title' ? 'desc' : 'asc'}`]),
  `libraryId=${libraryId}`,
  `libraryId=${otherLibraryId}`,
  'q=winter',
  'q=person%201234',
  'genre=Drama',
  'genre=Drama&genre=War&sort=rating',
  'year=1999',
  'yearFrom=1990&yearTo=1999&sort=rating',
  'studio=Studio%207',
  'tag=tag%207',
  'contentRating=PG',
  'language=de',
  'audioLanguage=ja&subtitleLanguage=en',
  'resolution=2160p',
  'videoCodec=hevc&hdr=hdr10',
  'minRating=9.5',
  'minDuration=5000&maxDuration=5100',
  'watched=true',
  'watched=false',
  'inProgress=true',
  'watchlist=true&sort=addedAt',
  'addedAfter=2020-01-01T00:00:00Z&sort=addedAt',
  'availability=missing',
  'availability=all',
  'matched=true',
  'genre=Drama&resolution=1080p&yearFrom=1980&sort=rating&watched=false',
]

export interface CatalogueOptions {
  readonly films: number
  /** Only the lists whose query contains this text. */
  readonly only?: string
}

export async function run(report: Report, { films, only = '' }: CatalogueOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-catalogue-'))
  const worker = new Worker(new URL('catalogue-server.ts', import.meta.url), { workerData: { folder, films } })
  try {
    const [served] = (await once(worker, 'message')) as [Served]
    const { appendSeconds, behindSeconds } = served
    const caughtUp = `views caught up ${behindSeconds.toFixed(1)} s later`
    report({ what: `set-up: ${wholeNumber(films)} films appended`, ours: `${appendSeconds.toFixed(1)} s, ${caughtUp}` })
    const token = await signIn(served)
    await measureCommands(report, { ports: served.ports, token })
    await measureReads(report, { ports: served.ports, token, worker })
    for (const query of queriesOf(served).filter((text) => text.includes(only))) await measure(report, worker, { served, token, query })
    await measureOnce(report, `http://127.0.0.1:${served.ports.ours}`, token)
    worker.postMessage(null, [])
    await once(worker, 'message', { signal: AbortSignal.timeout(CLOSE_MS) })
    await measureRebuild(report, { eventLog: served.eventLog, head: served.head, folder })
    await measureMemory(report, { folder, films, ...served })
  } finally {
    await worker.terminate()
    agent.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Pages in order, starting over at the end, in turns with the bare route. */
async function measure(report: Report, worker: Worker, { served, token, query }: { served: Served; token: string; query: string }) {
  const base = `http://127.0.0.1:${served.ports.ours}/v1/movies?${query}`
  const latencies = { ours: [] as number[], bare: [] as number[] }
  let url = base
  let items = 0
  for (let n = 0; n < PAGES + WARM_UP; n++) {
    const ours = await timed(newly(url, n), token)
    if (n === 0) {
      worker.postMessage(ours.body, [])
      await once(worker, 'message')
    }
    const bare = await timed(`http://127.0.0.1:${served.ports.bare}/`, token)
    const page = JSON.parse(ours.body) as { readonly items: readonly unknown[]; readonly nextCursor: string | null }
    if (n >= WARM_UP) {
      latencies.ours.push(ours.ms)
      latencies.bare.push(bare.ms)
      items += page.items.length
    }
    url = page.nextCursor ? `${base}&cursor=${page.nextCursor}` : base
  }
  const [ours, bare] = [quantiles(latencies.ours), quantiles(latencies.bare)]
  const [ratio, tail] = [bare.p50 / ours.p50, ours.p99 / ours.p50]
  report({
    what: `list ${query.replace(/libraryId=\S{21}/, 'libraryId')} (${(items / PAGES).toFixed(1)} items)`,
    ours: `p50 ${us(ours.p50)}, p99 ${us(ours.p99)} (${tail.toFixed(1)} x p50)`,
    yardstick: `p50 ${us(bare.p50)} (same bytes)`,
    ratio,
    goal: `>= ${GOAL.ratio}x, p99 < ${GOAL.tail} x p50`,
    met: ratio >= GOAL.ratio && tail < GOAL.tail,
  })
}

async function measureOnce(report: Report, base: string, token: string): Promise<void> {
  for (const path of [
    '/v1/facets',
    '/v1/collections',
    '/v1/movies?include=total',
    '/v1/movies?genre=Drama&include=total',
    '/v1/movies/anchors',
    '/v1/movies/anchors?genre=Drama&sort=rating',
    '/v1/movies/anchors?watched=false&sort=lastPlayedAt',
    '/v1/home',
    '/v1/libraries',
  ]) {
    const latencies: number[] = []
    for (let n = 0; n < WARM_UP; n++) latencies.push((await timed(newly(base + path, n), token)).ms)
    const { p50, p99 } = quantiles(latencies)
    report({ what: path, ours: `p50 ${us(p50)}, p99 ${us(p99)}` })
  }
  await measureAgain(report, `${base}/v1/movies`, token)
  const { ms } = await timed(`${base}/v1/movies?asOf=${new Date().toISOString()}`, token)
  report({ what: '/v1/movies?asOf', ours: `${(ms / 1000).toFixed(1)} s` })
}

/** A repeated query is answered from the cache: a meaningless parameter makes it another query. */
const newly = (url: string, n: number): string => `${url}${url.includes('?') ? '&' : '?'}asked=${n}`

async function measureAgain(report: Report, url: string, token: string): Promise<void> {
  const latencies: number[] = []
  for (let n = 0; n < PAGES; n++) latencies.push((await timed(url, token)).ms)
  const { p50, p99 } = quantiles(latencies)
  report({ what: '/v1/movies, asked again', ours: `p50 ${us(p50)}, p99 ${us(p99)}` })
}

async function timed(url: string, token: string): Promise<{ readonly ms: number; readonly body: string }> {
  const startMs = performance.now()
  const asked = get(url, { agent, headers: { authorization: `Bearer ${token}` } })
  const [response] = await once(asked, 'response')
  let body = ''
  for await (const chunk of response.setEncoding('utf8')) body += chunk
  const ms = performance.now() - startMs
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode} ${body}`)
  return { ms, body }
}

async function signIn({ ports, email, password }: Served): Promise<string> {
  const asked = request(`http://127.0.0.1:${ports.ours}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  })
  asked.end(JSON.stringify({ email, password }))
  const [response] = await once(asked, 'response')
  let body = ''
  for await (const chunk of response.setEncoding('utf8')) body += chunk
  return (JSON.parse(body) as { readonly token: string }).token
}

const us = (ms: number): string => `${Math.round(ms * 1000)} us`
