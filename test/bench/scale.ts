/**
 * Measures how a server grows: the same requests, live sessions and event streams on a site and on one ten times as large. What costs more
 * on the larger one than on the smaller grows with it. The server runs in a process of its own.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ScaleServed, ScaleSite } from './scale-server.ts'
import { measuredLoad, type Measured } from './load.ts'
import { wholeNumber, type Report } from './table.ts'
import { rssMb } from './whole-server.ts'

interface Size {
  readonly films: number
  readonly users: number
  readonly events: number
  readonly sessions: number
  readonly streams: number
}

/** The larger of the two; each number of the smaller one is a tenth. */
export type ScaleOptions = Size

const TIMES = 10
/** At once, of all requests but event streams. */
const CONNECTIONS = 8
const MEASURED_MS = 8_000
const WARM_UP_MS = 1_000
const SETTLE_MS = 3_000
const SET_UP_MS = 3_600_000
/** A player says where it is so often. */
const BEAT_S = 10
/** The larger site may be so much slower. */
const GROWTH = 2

interface Asked {
  readonly method: string
  readonly path: string
  readonly token: string
  readonly body?: object
}

interface Results {
  readonly served: ScaleServed
  readonly requests: ReadonlyMap<string, Measured>
  readonly memoryMb: Readonly<Record<'idle' | 'streams' | 'sessions' | 'after', number>>
}

export async function measureScale(report: Report, large: ScaleOptions): Promise<void> {
  const tenth = (n: number): number => Math.max(1, Math.round(n / TIMES))
  const { films, users, events, sessions, streams } = large
  const small: Size = {
    films: tenth(films),
    users: tenth(users),
    events: tenth(events),
    sessions: tenth(sessions),
    streams: tenth(streams),
  }
  const [smaller, larger] = [await measureSite(small), await measureSite(large)]
  const nameOf = (size: Size) =>
    `${wholeNumber(size.films)} films, ${wholeNumber(size.users)} users, ${wholeNumber(size.sessions)} sessions, ${size.streams} streams`
  report({ what: `site: ${nameOf(large)}`, ours: setUpOf(larger), yardstick: `${setUpOf(smaller)} (a tenth)` })
  for (const [what, ours] of larger.requests) {
    const tenthOf = smaller.requests.get(what)
    if (!tenthOf) continue
    const ratio = ours.p50 / tenthOf.p50
    report({ what, ours: textOf(ours), yardstick: textOf(tenthOf), ratio, goal: `<= ${GROWTH}x`, met: ratio <= GROWTH })
  }
  const beats = larger.requests.get(HEARTBEAT)
  if (beats) report({ what: 'live sessions that one node carries, by heartbeats alone', ours: wholeNumber(beats.rate * BEAT_S) })
  for (const when of ['idle', 'streams', 'sessions', 'after'] as const)
    report({
      what: `memory (RSS), ${MEMORY[when]}`,
      ours: `${larger.memoryMb[when].toFixed(0)} MB`,
      yardstick: `${smaller.memoryMb[when].toFixed(0)} MB`,
      ratio: larger.memoryMb[when] / smaller.memoryMb[when],
    })
}

const HEARTBEAT = 'heartbeat'
const MEMORY = { idle: 'idle', streams: 'with event streams', sessions: 'with live sessions', after: 'after all requests' } as const

const setUpOf = ({ served: { head, appendSeconds, behindSeconds } }: Results): string =>
  `${wholeNumber(head)} events appended in ${appendSeconds.toFixed(0)} s, views caught up ${behindSeconds.toFixed(0)} s later`

const textOf = ({ rate, p50, p99 }: Measured): string => `${wholeNumber(rate)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`

async function measureSite(size: Size): Promise<Results> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-scale-'))
  const site: ScaleSite = { folder, ...size }
  const child = fork(new URL('scale-server.ts', import.meta.url), [JSON.stringify(site)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  try {
    const [served] = (await Promise.race([
      once(child, 'message', { signal: AbortSignal.timeout(SET_UP_MS) }),
      once(child, 'exit').then(() => Promise.reject(new Error('The server ended'))),
    ])) as [ScaleServed]
    return await measureServed({ served, size, child, agent })
  } finally {
    agent.destroy()
    if (child.exitCode === null) {
      child.disconnect()
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Serving {
  readonly served: ScaleServed
  readonly size: Size
  readonly child: ChildProcess
  readonly agent: Agent
}

async function measureServed(serving: Serving): Promise<Results> {
  const { served, size, child } = serving
  const { tokens, movieIds } = served
  const settled = async (): Promise<number> => (await sleep(SETTLE_MS), rssMb(child))
  const idle = await settled()
  const streams = await openStreams(serving)
  const withStreams = await settled()
  const sessions = await startSessions(serving)
  const withSessions = await settled()
  const requests = new Map<string, Measured>()
  const get = (path: (n: number) => string) => (n: number) => ({ method: 'GET', path: path(n), token: at(tokens, n) })
  const beat = (n: number): Asked => {
    const { id, token } = at(sessions, n)
    const body = { position: (Math.floor(n / size.sessions) + 1) % 3000, playState: 'playing' }
    return { method: 'POST', path: `/v1/playback/sessions/${id}/heartbeat`, token, body }
  }
  const asks: Readonly<Record<string, (n: number) => Asked>> = {
    'list of 20 by title': get((n) => `/v1/movies?limit=20&asked=${n}`),
    'list of 20, one genre, with total': get((n) => `/v1/movies?genre=Drama&include=total&limit=20&asked=${n}`),
    'list of 20, watched': get((n) => `/v1/movies?watched=true&limit=20&asked=${n}`),
    search: get((n) => `/v1/search?q=winter&asked=${n}`),
    'movie details': get((n) => `/v1/movies/${at(movieIds, n)}`),
    'home page': get((n) => `/v1/home?limit=12&asked=${n}`),
    [HEARTBEAT]: beat,
    'mark as watched': (n) => ({ method: 'PUT', path: `/v1/movies/${at(movieIds, n)}/watched`, token: at(tokens, n) }),
  }
  for (const [what, ask] of Object.entries(asks)) requests.set(what, await measured(serving, ask))
  const after = await settled()
  for (const stream of streams) stream.destroy()
  return { served, requests, memoryMb: { idle, streams: withStreams, sessions: withSessions, after } }
}

const at = <Item>(items: readonly Item[], n: number): Item => items[n % items.length] as Item

async function openStreams({ served, size }: Serving): Promise<readonly IncomingMessage[]> {
  const agent = new Agent({ keepAlive: true })
  return Promise.all(
    Array.from({ length: size.streams }, async (_, n) => {
      const headers = { authorization: `Bearer ${at(served.tokens, n)}` }
      const [response] = (await once(request({ port: served.port, path: '/api/events', agent, headers }).end(), 'response')) as [
        IncomingMessage,
      ]
      if (response.statusCode !== 200) throw new Error(`An event stream was answered with ${response.statusCode}`)
      return response.on('error', () => undefined).resume()
    }),
  )
}

interface LiveSession {
  readonly id: string
  readonly token: string
}

async function startSessions(serving: Serving): Promise<readonly LiveSession[]> {
  const { served, size } = serving
  const sessions: LiveSession[] = []
  await atOnce(
    (n) => n < size.sessions,
    async (n) => {
      const token = at(served.tokens, n)
      const body = { movieId: at(served.movieIds, n), client: { name: 'bench' } }
      const { id } = JSON.parse(await send(serving, { method: 'POST', path: '/v1/playback/sessions', token, body })) as {
        readonly id: string
      }
      sessions.push({ id, token })
    },
  )
  return sessions
}

async function measured({ served }: Serving, ask: (n: number) => Asked): Promise<Measured> {
  let count = 0
  const current: Asked[] = []
  const load = {
    port: served.port,
    connections: CONNECTIONS,
    next(connection: number) {
      const asked = ask(count++)
      current[connection] = asked
      return `${asked.method} ${asked.path}`
    },
    token: (connection: number) => current[connection]?.token ?? '',
    body: (connection: number) => JSON.stringify(current[connection]?.body),
  }
  await measuredLoad({ ...load, durationMs: WARM_UP_MS })
  return measuredLoad({ ...load, durationMs: MEASURED_MS })
}

/** Each connection begins the next one after its last, until `goesOn` says no. */
async function atOnce(goesOn: (n: number) => boolean, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const connection = async (): Promise<void> => {
    for (let n = next++; goesOn(n); n = next++) await work(n)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
}

async function send({ served, agent }: Serving, { method, path, token, body }: Asked): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) }
  const asked = request({ port: served.port, method, path, agent, headers }).end(body && JSON.stringify(body))
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  if ((response.statusCode ?? 0) >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 200)}`)
  return text
}
