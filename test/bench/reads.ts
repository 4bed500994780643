/**
 * Measures reads under load: 8 clients, whose requests are all different, in turns with a bare route that sends the same bytes, and lists
 * in turns with the list by name.
 */
import type { Worker } from 'node:worker_threads'
import { once } from 'node:events'
import { measuredLoad, type Measured } from './load.ts'
import { median, wholeNumber, type Report } from './table.ts'

export interface ReadServers {
  readonly ports: { readonly ours: number; readonly bare: number }
  readonly token: string
  /** The servers' thread, which takes the text that the bare route sends. */
  readonly worker: Worker
}

const CONNECTIONS = 8
const ROUNDS = 4
const ROUND_MS = 1500
const PAGE = 100
const MOVIES = 4000
const GOAL = { bare: 0.4, byName: 0.9 }
const GENRES = ['Drama', 'Comedy', 'Western', 'Horror', 'Thriller', 'Romance', 'Crime', 'War']

/** Paths by their number, each asked once: a repeated path is answered from the cache. */
type Paths = (n: number) => string

const BY_NAME: Paths = (n) => `/v1/movies?asked=${n}`

const AS_BY_NAME: readonly (readonly [what: string, paths: Paths])[] = [
  ['by name, with total', (n) => `/v1/movies?include=total&asked=${n}`],
  ['newest first, with total (the home page)', (n) => `/v1/movies?sort=addedAt&order=desc&include=total&asked=${n}`],
  ['one genre, with total', (n) => `/v1/movies?genre=${GENRES[n % GENRES.length]}&include=total&asked=${n}`],
  ['search in one genre, with total', (n) => `/v1/movies?q=winter&genre=${GENRES[n % GENRES.length]}&include=total&asked=${n}`],
]

export async function measureReads(report: Report, servers: ReadServers): Promise<void> {
  const movies = await someMovies(servers)
  const details: Paths = (n) => `/v1/movies/${movies[n % movies.length] ?? ''}?asked=${n}`
  await againstBare(report, servers, { what: 'details of a movie', paths: details })
  await againstBare(report, servers, { what: 'list of 20', paths: BY_NAME })
  for (const [what, paths] of AS_BY_NAME) await againstByName(report, servers, { what, paths })
}

interface Subject {
  readonly what: string
  readonly paths: Paths
}

let asked = 0

const turn = ({ token }: ReadServers, port: number, paths: Paths): Promise<Measured> =>
  measuredLoad({ port, token, connections: CONNECTIONS, durationMs: ROUND_MS, next: () => `GET ${paths(asked++)}` })

async function againstBare(report: Report, servers: ReadServers, { what, paths }: Subject): Promise<void> {
  const { ports, worker } = servers
  worker.postMessage(await bodyOf(servers, paths(asked++)), [])
  await once(worker, 'message')
  const { ours, yardstick } = await inTurns(
    () => turn(servers, ports.ours, paths),
    () => turn(servers, ports.bare, () => '/'),
  )
  const ratio = ours.rate / yardstick.rate
  const against = `${wholeNumber(yardstick.rate)}/s (same bytes)`
  report({ what: titleOf(what), ours: shown(ours), yardstick: against, ratio, goal: `>= ${GOAL.bare}x`, met: ratio >= GOAL.bare })
}

async function againstByName(report: Report, servers: ReadServers, { what, paths }: Subject): Promise<void> {
  const { ours: port } = servers.ports
  const { ours, yardstick } = await inTurns(
    () => turn(servers, port, paths),
    () => turn(servers, port, BY_NAME),
  )
  const ratio = ours.rate / yardstick.rate
  const against = `${shown(yardstick)} (by name)`
  report({ what: titleOf(what), ours: shown(ours), yardstick: against, ratio, goal: `>= ${GOAL.byName}x`, met: ratio >= GOAL.byName })
}

const titleOf = (what: string): string => `${what}, ${CONNECTIONS} clients`
type Middle = Pick<Measured, 'rate' | 'p99'>

const shown = ({ rate, p99 }: Middle): string => `${wholeNumber(rate)}/s, p99 ${p99.toFixed(1)} ms`

/** Medians of the rounds; the first one warms up. */
async function inTurns(ours: () => Promise<Measured>, yardstick: () => Promise<Measured>) {
  const rounds: { readonly ours: Measured; readonly yardstick: Measured }[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push({ yardstick: await yardstick(), ours: await ours() })
  const middle = (of: 'ours' | 'yardstick'): Middle => ({
    rate: median(rounds.slice(1).map((round) => round[of].rate)),
    p99: median(rounds.slice(1).map((round) => round[of].p99)),
  })
  return { ours: middle('ours'), yardstick: middle('yardstick') }
}

async function bodyOf({ ports, token }: ReadServers, path: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${ports.ours}${path}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(10_000),
  })
  return answer.text()
}

async function someMovies(servers: ReadServers): Promise<readonly string[]> {
  const ids: string[] = []
  let cursor: string | null = ''
  while (cursor !== null && ids.length < MOVIES) {
    const text = await bodyOf(servers, `/v1/movies?limit=${PAGE}${cursor && `&cursor=${cursor}`}`)
    const page = JSON.parse(text) as { readonly items: readonly { readonly id: string }[]; readonly nextCursor: string | null }
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  }
  return ids
}
