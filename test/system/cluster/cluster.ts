/**
 * Runs a larger site on one machine: API nodes, projectors and transcode agents as separate processes on shared servers. Each has its own
 * data folder below one folder; blobs are shared.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../fakes/server.ts'
import { startProgram, type Program } from './program.ts'
import type { ClusterServers } from './servers.ts'

export interface ClusterOptions {
  readonly servers: Pick<ClusterServers, 'env'>
  /** Folder of all data that is not on the servers. */
  readonly folder: string
  /** The signing secret of all programs except the agents. */
  readonly secret: string
  readonly apis?: number
  readonly projectors?: number
  readonly agents?: number
  /** Folder of films that the first API node adds. */
  readonly media?: string | undefined
  /** Further settings, the same for all. */
  readonly env?: Readonly<Record<string, string>>
  /** Further settings of the projectors. */
  readonly projectorEnv?: Readonly<Record<string, string>>
  /** Further settings of one API node, by its number from 1. */
  readonly apiEnv?: (n: number) => Readonly<Record<string, string>>
  /** Further settings of the agents, which may depend on where the API nodes are. */
  readonly agentEnv?: (apiUrls: readonly string[]) => Readonly<Record<string, string>>
}

export interface ApiNode extends Program {
  readonly url: string
}

export interface Cluster {
  readonly apis: readonly ApiNode[]
  readonly projectors: readonly Program[]
  readonly agents: readonly Program[]
  readonly programs: readonly Program[]
  /** Settles when all run and every API node is ready. @throws after a timeout, with the last output of one of them */
  ready(): Promise<void>
  /**
   * Ends all, API nodes first; programs that do not end in time are killed. Returns a text about each that did not end with exit code 0:
   * its name, its exit code, and the last it printed.
   */
  end(signal?: NodeJS.Signals): Promise<readonly string[]>
}

const READY_MS = 120_000
const LOOK_EVERY_MS = 100
const LOOK_MS = 5_000
/** Less than the ten seconds of a stop; each program needs less by itself. */
const END_MS = 9_000
/** Characters. */
const LAST_OUTPUT = 2_000

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { servers, folder, secret, media, env = {}, projectorEnv = {}, apiEnv, agentEnv } = options
  const blobs = join(folder, 'blobs')
  mkdirSync(blobs, { recursive: true })
  const shared = { ...servers.env, MARQUEE_BLOBS: blobs, MARQUEE_HOST: '127.0.0.1', ...env }
  const signs = { MARQUEE_SECRET: secret }
  /** The settings of one program, with its own folder. */
  const place = (name: string, more: Readonly<Record<string, string>> = {}) => {
    const own = join(folder, name.replace(' ', '-'))
    return { name, folder: own, env: { ...shared, MARQUEE_DATA_DIR: own, ...more } }
  }
  const several = <Made>(count: number, make: (n: number) => Made): readonly Made[] => Array.from({ length: count }, (_, n) => make(n + 1))

  const projectors = several(options.projectors ?? 1, (n) =>
    startProgram({ ...place(`projector ${n}`, { ...signs, ...projectorEnv }), file: 'projections/main.ts' }),
  )
  const ports = await Promise.all(several(options.apis ?? 1, freePort))
  const ofAgents = agentEnv?.(ports.map(urlAt))
  const agents = several(options.agents ?? 1, (n) => startProgram({ ...place(`agent ${n}`, ofAgents), file: 'transcode-agent/main.ts' }))
  const apis = ports.map((port, n): ApiNode => {
    const own = { ...signs, MARQUEE_ROLES: 'api', MARQUEE_PORT: String(port), MARQUEE_TRUSTED_PROXIES: '127.0.0.1', ...apiEnv?.(n + 1) }
    const args = media !== undefined && n === 0 ? ['--media', media] : []
    return { ...startProgram({ ...place(`api ${n + 1}`, own), file: 'src/main.ts', args }), url: urlAt(port) }
  })
  const programs = [...apis, ...projectors, ...agents]

  async function end(signal: NodeJS.Signals = 'SIGTERM'): Promise<readonly string[]> {
    const kill = setTimeout(() => programs.map((program) => program.kill()), END_MS)
    const endEach = (some: readonly Program[]) =>
      Promise.all(
        some.map(async (program) => {
          const code = await program.end(signal)
          return code === 0 ? [] : [`${program.name} ended with ${code}: ${program.output().slice(-LAST_OUTPUT)}`]
        }),
      )
    try {
      return [...(await endEach(apis)), ...(await endEach([...projectors, ...agents]))].flat()
    } finally {
      clearTimeout(kill)
    }
  }

  async function ready(): Promise<void> {
    // The last line of its start-up text: its films have been added by then.
    await Promise.all(apis.map((api) => api.printed(/Ctrl-C stops/)))
    await Promise.all([...projectors, ...agents].map((program) => program.printed(/ is running/)))
    await Promise.all(apis.map(({ url }) => untilReady(url)))
  }

  return { apis, projectors, agents, programs, ready, end }
}

const urlAt = (port: number): string => `http://127.0.0.1:${port}`

/** Settles when this node is ready; returns the seconds it took. */
export async function untilReady(url: string): Promise<number> {
  const startMs = performance.now()
  for (let said = 'nothing'; ; await sleep(LOOK_EVERY_MS)) {
    try {
      const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(LOOK_MS) })
      said = await answer.text()
      if (answer.ok) return (performance.now() - startMs) / 1000
    } catch (cause) {
      said = String(cause)
    }
    if (performance.now() - startMs > READY_MS) throw new Error(`${url} is not ready: ${said}`)
  }
}
