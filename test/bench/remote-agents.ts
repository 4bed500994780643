/**
 * Measures the cost of an agent in a separate process behind NATS that fetches the film from the API: time to an uncached segment, against
 * the server that does everything itself, in turns.
 */
import { mkdir } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { scannedMovies, signIn, startServer } from '../system/whole/server-process.ts'
import { openAgentSite, SETTINGS, type AgentSite } from './agent-site.ts'
import type { BenchFiles } from './streaming-files.ts'
import { playerOf } from './streaming-server.ts'
import { median, type Report } from './table.ts'

interface Remote {
  readonly folder: string
  readonly films: BenchFiles
}

type Play = Pick<AgentSite, 'play' | 'close'> & Partial<Pick<AgentSite, 'readsFiles' | 'mounted'>>

const ROUNDS = 7
const METHODS = ['transcode', 'remux']
/** Beyond the segments made for a player at the start; a different position for each method. */
const SEGMENTS: Readonly<Record<string, number>> = { transcode: 9, remux: 20 }
const SETTLE_MS = 1_500
const GOAL = 1.25
const PLACES = { local: 'in the server', mounted: 'agent with the film', fetched: 'agent that fetches it' } as const
type PlaceName = keyof typeof PLACES

export async function measureRemote(report: Report, { folder, films }: Remote): Promise<void> {
  await mkdir(folder, { recursive: true })
  const open: Play[] = []
  try {
    const local = await openLocal(join(folder, 'local'), films)
    open.push(local)
    const mounted = await openAgentSite({ folder: join(folder, 'mounted'), films, agents: 1, mounted: true })
    open.push(mounted)
    const fetched = await openAgentSite({ folder: join(folder, 'fetched'), films, agents: 1, mounted: false })
    open.push(fetched)
    for (const method of METHODS) await measureMethod(report, { local, mounted, fetched }, { films, method })
  } finally {
    for (const site of open) await site.close()
  }
}

async function openLocal(dataDir: string, films: BenchFiles): Promise<Play> {
  await mkdir(dataDir)
  const server = await startServer({ dataDir, media: films.folder, env: SETTINGS })
  const api = await signIn(server.url)
  const movies = await scannedMovies(api)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    async play(title) {
      const { json } = await api.send('POST', '/v1/playback/sessions', { movieId: movies.get(title)?.id })
      return playerOf(server.url, { api, agent, json: json as never, ended: () => true })
    },
    async close() {
      agent.destroy()
      await server.end('SIGTERM')
    },
  }
}

interface Method {
  readonly films: BenchFiles
  readonly method: string
}

/** The first round warms up. */
async function measureMethod(report: Report, places: Readonly<Record<PlaceName, Play>>, { films, method }: Method): Promise<void> {
  const times: Record<PlaceName, number[]> = { local: [], mounted: [], fetched: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of ['local', 'mounted', 'fetched'] as const) {
      const ms = await firstSegment(places[name], { title: films.titles[round] ?? '', method })
      if (round > 0) times[name].push(ms)
    }
  }
  const text = (values: readonly number[]) => `min ${Math.min(...values).toFixed(0)}, median ${median(values).toFixed(0)} ms`
  for (const name of ['mounted', 'fetched'] as const) {
    // Compares the minimums: interference by other processes only ever adds time.
    const ratio = Math.min(...times[name]) / Math.min(...times.local)
    report({
      what: `first segment, ${method}, ${PLACES[name]}`,
      ours: text(times[name]),
      yardstick: `${text(times.local)} (${PLACES.local})`,
      ratio,
      goal: `<= ${GOAL}x`,
      met: ratio <= GOAL,
    })
  }
}

async function firstSegment(place: Play, { title, method }: { readonly title: string; readonly method: string }): Promise<number> {
  const player = await place.play(title)
  const quality = player.qualities.find((one) => one.method === method)?.name ?? ''
  await sleep(SETTLE_MS)
  const { ms } = await player.get(`${quality}/seg-${SEGMENTS[method]}.m4s`)
  if (place.mounted === false && place.readsFiles?.()) throw new Error('The agent has the film where the API node has it')
  await player.end()
  await sleep(SETTLE_MS)
  return ms
}
