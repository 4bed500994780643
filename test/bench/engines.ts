/**
 * Measures the cost of the distributed engines: the same requests to the embedded server (one process on files), and to an API node, a
 * projector and a transcode agent as separate processes on an event store, MongoDB and nats-server, in turns.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster } from '../system/cluster/cluster.ts'
import { startClusterServers } from '../system/cluster/servers.ts'
import { ADMIN, scannedMovies, signIn, startServer, type Api } from '../system/whole/server-process.ts'
import { loadFor } from './load.ts'
import { prepareFiles, type BenchFiles } from './streaming-files.ts'
import { playerOf, type Player } from './streaming-server.ts'
import { median, wholeNumber, type Report } from './table.ts'

const ROUNDS = 5
const BEATS = 60
const LISTS = 60
const CONNECTIONS = 16
const LOAD_MS = 3000
/** Beyond the segments made for a player at the start. */
const FIRST_SEGMENT = 9
const SETTLE_MS = 1500
const SETTINGS = { MARQUEE_RATE_LIMIT: '1000000', MARQUEE_LOG_LEVEL: 'silent' }

/** One of the two deployments, as a client sees it. */
interface Site {
  readonly url: string
  readonly api: Api
  play(title: string): Promise<Player>
  close(): Promise<void>
}

interface Sites {
  readonly embedded: Site
  readonly distributed: Site
}

export async function measureEngines(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-engines-'))
  const servers = await startClusterServers()
  const open: Site[] = []
  try {
    if ('missing' in servers) return report({ what: 'engines', ours: `not measured: no ${servers.missing.join(', no ')} here` })
    const films = await prepareFiles(folder)
    const embedded = await openEmbedded(folder, films)
    open.push(embedded)
    const distributed = await openDistributed(folder, films, servers)
    open.push(distributed)
    const sites = { embedded, distributed }
    report({ what: 'engines', ours: [servers.eventLog, servers.mongodb, servers.nats].map(({ name }) => name).join(', ') })
    await measureBeats(report, sites, films)
    await measureMarks(report, sites)
    await measureLists(report, sites)
    for (const method of ['remux', 'transcode']) await measureFirstSegment(report, sites, { films, method })
  } finally {
    await Promise.all(open.map((site) => site.close()))
    if (!('missing' in servers)) await servers.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function openEmbedded(folder: string, films: BenchFiles): Promise<Site> {
  const dataDir = join(folder, 'embedded')
  await mkdir(dataDir)
  const server = await startServer({ dataDir, media: films.folder, env: SETTINGS })
  return siteOf(server.url, async () => void (await server.end('SIGTERM')))
}

type Servers = Exclude<Awaited<ReturnType<typeof startClusterServers>>, { readonly missing: readonly string[] }>

async function openDistributed(folder: string, films: BenchFiles, servers: Servers): Promise<Site> {
  const env = { ...SETTINGS, MARQUEE_ADMIN_PASSWORD: ADMIN.password }
  const secret = randomBytes(32).toString('hex')
  const cluster = await startCluster({ servers, folder: join(folder, 'distributed'), secret, media: films.folder, env })
  await cluster.ready().catch(async (cause: unknown) => {
    await cluster.end('SIGKILL')
    throw cause
  })
  const url = cluster.apis[0]?.url ?? ''
  return siteOf(url, async () => void (await cluster.end()))
}

async function siteOf(url: string, stop: () => Promise<void>): Promise<Site> {
  const api = await signIn(url)
  const movies = await scannedMovies(api)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    url,
    api,
    async play(title) {
      const { json } = await api.send('POST', '/v1/playback/sessions', { movieId: movies.get(title)?.id })
      return playerOf(url, { api, agent, json: json as never, ended: () => true })
    },
    async close() {
      agent.destroy()
      await stop()
    },
  }
}

/** Durations of the same work on both, in turns; the first round warms up. */
async function inTurns(
  sites: Sites,
  work: (site: Site, round: number) => Promise<readonly number[]>,
): Promise<Record<keyof Sites, number[]>> {
  const times: Record<keyof Sites, number[]> = { embedded: [], distributed: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of ['embedded', 'distributed'] as const) {
      const measured = await work(sites[name], round)
      if (round > 0) times[name].push(...measured)
    }
  }
  return times
}

function compared(report: Report, what: string, { embedded, distributed }: Record<keyof Sites, number[]>): void {
  const text = (times: readonly number[]) => `median ${median(times).toFixed(1)}, p99 ${percentile(times, 99).toFixed(1)} ms`
  report({ what, ours: text(distributed), yardstick: `${text(embedded)} (embedded)`, ratio: median(distributed) / median(embedded) })
}

const percentile = (times: readonly number[], percent: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor((times.length * percent) / 100))] ?? 0

async function repeated(count: number, ask: (n: number) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const startMs = performance.now()
    await ask(n)
    times.push(performance.now() - startMs)
  }
  return times
}

async function measureBeats(report: Report, sites: Sites, { titles }: BenchFiles): Promise<void> {
  const times = await inTurns(sites, async (site, round) => {
    const player = await site.play(titles[0] ?? '')
    const beat = (n: number) => ({ position: round + n / 10, playState: 'playing' })
    const beats = await repeated(BEATS, async (n) => {
      const { status } = await site.api.send('POST', `/v1/playback/sessions/${player.sessionId}/heartbeat`, beat(n))
      if (status !== 200) throw new Error(`A heartbeat was answered with ${status}`)
    })
    await player.end()
    return beats
  })
  compared(report, 'a heartbeat', times)
}

async function measureMarks(report: Report, sites: Sites): Promise<void> {
  const rates: Record<keyof Sites, number[]> = { embedded: [], distributed: [] }
  for (let round = 0; round < 4; round++) {
    for (const name of ['embedded', 'distributed'] as const) {
      const { api, url } = sites[name]
      const ids = [...(await scannedMovies(api)).values()].map(({ id }) => id)
      let turn = 0
      const mark = (connection: number) => {
        turn++
        return `${turn % 2 ? 'PUT' : 'DELETE'} /v1/movies/${ids[connection % ids.length] ?? ''}/watched`
      }
      const load = { port: Number(new URL(url).port), token: api.token, connections: CONNECTIONS, durationMs: LOAD_MS, next: mark }
      const rate = await loadFor(load)
      if (round > 0) rates[name].push(rate)
    }
  }
  const [ours, yardstick] = [median(rates.distributed), median(rates.embedded)]
  report({
    what: `marks a second, ${CONNECTIONS} clients`,
    ours: wholeNumber(ours),
    yardstick: `${wholeNumber(yardstick)} (embedded)`,
    ratio: ours / yardstick,
  })
}

async function measureLists(report: Report, sites: Sites): Promise<void> {
  const lists = {
    'a list of movies': '/v1/movies?limit=50&sort=title',
    'a filtered list': '/v1/movies?limit=50&watched=true&sort=lastPlayedAt&order=desc',
    'continue watching': '/v1/playback/continue-watching',
  }
  for (const [what, path] of Object.entries(lists)) {
    const times = await inTurns(sites, ({ api }) =>
      repeated(LISTS, async () => {
        const { status } = await api.send('GET', path)
        if (status !== 200) throw new Error(`${path} was answered with ${status}`)
      }),
    )
    compared(report, what, times)
  }
}

/** From the request of an uncached segment until its last byte. */
async function measureFirstSegment(
  report: Report,
  sites: Sites,
  { films, method }: { readonly films: BenchFiles; readonly method: string },
): Promise<void> {
  const times = await inTurns(sites, async (site, round) => {
    const player = await site.play(films.titles[(method === 'remux' ? 0 : 4) + (round % 6)] ?? '')
    const quality = player.qualities.findLast((one) => one.method === method)?.name ?? ''
    await sleep(SETTLE_MS)
    const segment = FIRST_SEGMENT + round
    const { ms } = await player.get(`${quality}/seg-${segment}.m4s`)
    await player.end()
    await sleep(SETTLE_MS)
    return [ms]
  })
  compared(report, `first segment, ${method}`, times)
}
