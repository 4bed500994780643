/** A larger site for `agents.ts`: an API node, a projector and agents as separate processes, on separate servers. */
import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { startCluster, type Cluster } from '../system/cluster/cluster.ts'
import { startClusterServers, type ClusterServers } from '../system/cluster/servers.ts'
import { ffmpegsOf } from '../system/whole/leftovers.ts'
import { ADMIN, scannedMovies, signIn, type Api } from '../system/whole/server-process.ts'
import { argumentsOf } from './process-cpu.ts'
import type { BenchFiles } from './streaming-files.ts'
import { playerOf, type Player } from './streaming-server.ts'

export interface AgentSite {
  readonly cluster: Cluster
  /** Folder of all its programs. */
  readonly folder: string
  readonly mounted: boolean
  readonly url: string
  readonly api: Api
  readonly movies: Awaited<ReturnType<typeof scannedMovies>>
  play(title: string): Promise<Player>
  /** Whether an ffmpeg of its agents reads a film from the API node's path. */
  readsFiles(): boolean
  close(): Promise<void>
}

export interface AgentSiteOptions {
  readonly folder: string
  readonly films: BenchFiles
  readonly agents: number
  /** Whether its agents have mounted the films at the API node's paths; otherwise they fetch them from it. */
  readonly mounted: boolean
}

export const SETTINGS = { MARQUEE_RATE_LIMIT: '1000000', MARQUEE_LOG_LEVEL: 'silent', MARQUEE_ADMIN_PASSWORD: ADMIN.password }
const SECRET_BYTES = 32

/** @throws Error if this machine lacks a server */
export async function openAgentSite(options: AgentSiteOptions): Promise<AgentSite> {
  const servers = await startClusterServers()
  if ('missing' in servers) throw new Error(`Not on this machine: ${servers.missing.join(', ')}`)
  try {
    return await openOn(servers, options)
  } catch (cause) {
    await servers.stop()
    throw cause
  }
}

async function openOn(servers: ClusterServers, { folder, films, agents, mounted }: AgentSiteOptions): Promise<AgentSite> {
  const secret = randomBytes(SECRET_BYTES).toString('hex')
  const agentEnv = ([url = '']: readonly string[]): Record<string, string> =>
    mounted ? {} : { MARQUEE_API_URL: url, MARQUEE_PATH_MAP: `${films.folder}=${join(folder, 'not mounted')}` }
  const cluster = await startCluster({ servers, folder, secret, media: films.folder, env: SETTINGS, agents, agentEnv })
  try {
    await cluster.ready()
    const url = cluster.apis[0]?.url ?? ''
    const api = await signIn(url)
    const movies = await scannedMovies(api)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    return {
      cluster,
      folder,
      mounted,
      url,
      api,
      movies,
      async play(title) {
        const { json } = await api.send('POST', '/v1/playback/sessions', { movieId: movies.get(title)?.id })
        return playerOf(url, { api, agent, json: json as never, ended: () => true })
      },
      readsFiles: () => cluster.agents.flatMap(ffmpegsOf).some((pid) => argumentsOf(pid).some((arg) => arg.includes(films.folder))),
      async close() {
        agent.destroy()
        await cluster.end()
        await servers.stop()
      },
    }
  } catch (cause) {
    await cluster.end('SIGKILL')
    throw cause
  }
}
