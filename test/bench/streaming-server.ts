/** A complete server in a separate process for `streaming.ts`, and a player that requests its segments. */
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { scannedMovies, signIn, startServer, type Api, type ServerProcess } from '../system/whole/server-process.ts'
import { argumentsOf, childrenOf } from './process-cpu.ts'

export interface BenchServer {
  readonly server: ServerProcess
  readonly pid: number
  readonly token: string
  play(title: string): Promise<Player>
  /** ffmpegs that run for a film. */
  ffmpegs(title: string): readonly Ffmpeg[]
  close(): Promise<void>
}

export interface Ffmpeg {
  readonly pid: number
  readonly args: readonly string[]
}

export interface Player {
  readonly sessionId: string
  /** Names of qualities, best first. */
  readonly qualities: readonly { readonly name: string; readonly method: string }[]
  path(file: string): string
  get(file: string): Promise<Answer>
  end(): Promise<void>
}

export interface Answer {
  readonly firstByteMs: number
  readonly ms: number
  readonly bytes: Buffer
}

const END_MS = 5_000
const GIVE_UP_MS = 60_000

export interface ServerSettings {
  readonly dataDir: string
  readonly media: string
  readonly env?: Readonly<Record<string, string>>
}

export async function openServer({ dataDir, media, env = {} }: ServerSettings): Promise<BenchServer> {
  await mkdir(dataDir, { recursive: true })
  const server = await startServer({ dataDir, media, env: { MARQUEE_RATE_LIMIT: '1000000', MARQUEE_LOG_LEVEL: 'silent', ...env } })
  const api = await signIn(server.url)
  const movies = await scannedMovies(api)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const pid = server.child.pid ?? 0
  const ffmpegs = (title: string): readonly Ffmpeg[] =>
    childrenOf(pid)
      .map((child) => ({ pid: child, args: argumentsOf(child) }))
      .filter(({ args }) => args.some((arg) => arg.endsWith(`/${title}.mp4`)))
  return {
    server,
    pid,
    token: api.token,
    ffmpegs,
    async play(title) {
      const movieId = movies.get(title)?.id
      const { json } = await api.send('POST', '/v1/playback/sessions', { movieId })
      return playerOf(server.url, { api, agent, json: json as unknown as Session['json'], ended: () => ffmpegs(title).length === 0 })
    },
    async close() {
      agent.destroy()
      await server.end('SIGTERM')
    },
  }
}

interface Session {
  readonly api: Api
  readonly agent: Agent
  readonly json: { readonly id: string; readonly qualities: Player['qualities'] }
  readonly ended: () => boolean
}

/** `ended`: whether nothing runs for the film any more, so that the next measurement has the machine for itself. */
export function playerOf(url: string, { api, agent, json, ended }: Session): Player {
  const path = (file: string): string => `/api/stream/${json.id}/${file}`
  return {
    sessionId: json.id,
    qualities: json.qualities,
    path,
    get: (file) => fetched(url + path(file), agent, api.token),
    async end() {
      await api.send('DELETE', `/v1/playback/sessions/${json.id}`)
      for (let waitedMs = 0; !ended() && waitedMs < END_MS; waitedMs += 10) await sleep(10)
    },
  }
}

async function fetched(url: string, agent: Agent, token: string): Promise<Answer> {
  return asked(url, { agent, token, startMs: performance.now() })
}

interface Asked {
  readonly agent: Agent
  readonly token: string
  readonly startMs: number
}

/** Retries after a 503, like a player. */
async function asked(url: string, { agent, token, startMs }: Asked): Promise<Answer> {
  const request = get(url, { agent, headers: { authorization: `Bearer ${token}` } })
  const [response] = await once(request, 'response')
  const chunks: Buffer[] = []
  let firstByteMs = 0
  for await (const chunk of response) {
    if (chunks.length === 0) firstByteMs = performance.now() - startMs
    chunks.push(chunk)
  }
  const ms = performance.now() - startMs
  const bytes = Buffer.concat(chunks)
  if (response.statusCode === 503 && ms < GIVE_UP_MS) return asked(url, { agent, token, startMs })
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode} ${bytes.toString('utf8', 0, 200)}`)
  return { firstByteMs, ms, bytes }
}
