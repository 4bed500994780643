/**
 * Measures the start of the whole server, which `npm run build` has built, until it has answered its first request, in turns with a bare
 * Fastify, and its memory.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ENVIRONMENT } from '../../src/process/start-again.ts'
import { omitUndefined } from '../../src/vocabulary/omit-undefined.ts'
import { loadFor } from './load.ts'
import { cpuMs } from './process-cpu.ts'
import { median, type Report } from './table.ts'
import { BARE_FASTIFY, BUILT_SERVER, rssMb, signIn, startProgram, stopProgram } from './whole-server.ts'

const GOAL = 2
const ROUNDS = 5
const SETTLE_MS = 3000
const LOAD_MS = 8000
const CONNECTIONS = 64

interface Way {
  readonly what: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const BARE: Way = { what: 'bare Fastify', args: BARE_FASTIFY }
const WAYS: readonly Way[] = [
  { what: 'by `npm start`, built', args: ['src/main.ts'] },
  { what: 'from a package', args: BUILT_SERVER, env: ENVIRONMENT },
]

interface Start {
  readonly ms: number
  readonly cpuMs: number
}

export async function measureStart(report: Report, folder: string): Promise<void> {
  const starts = new Map<Way, Start[]>([BARE, ...WAYS].map((way) => [way, []]))
  for (let round = 0; round <= ROUNDS; round++)
    for (const [way, measured] of starts) {
      const start = await startOnce(way, folder)
      // The first round creates the files and the first account.
      if (round > 0) measured.push(start)
    }
  const of = (way: Way, what: keyof Start) => median((starts.get(way) ?? []).map((start) => start[what]))
  const shown = (way: Way) => `${of(way, 'ms').toFixed(0)} ms (${of(way, 'cpuMs').toFixed(0)} ms of CPU)`
  for (const way of WAYS) {
    const ratio = of(way, 'ms') / of(BARE, 'ms')
    report({
      what: `start to first request, empty catalogue, ${way.what}`,
      ours: shown(way),
      yardstick: `${shown(BARE)}: ${BARE.what}`,
      ratio,
      goal: `<= ${GOAL}x`,
      met: ratio <= GOAL,
    })
  }
}

async function startOnce({ args, env }: Way, folder: string): Promise<Start> {
  const started = await startProgram(args, folder, omitUndefined({ env }))
  const spent = cpuMs(started.child.pid ?? 0)
  await stopProgram(started)
  return { ms: started.ms, cpuMs: spent }
}

export interface FacetLists {
  readonly folder: string
  readonly films: number
  readonly email: string
  readonly password: string
}

/** Memory of the whole server over a generated catalogue: idle, and while clients list movies. */
export async function measureMemory(report: Report, { folder, films, email, password }: FacetLists): Promise<void> {
  const server = await startProgram(['src/main.ts'], folder)
  try {
    await sleep(SETTLE_MS)
    const idle = rssMb(server.child)
    const token = await signIn(server.port, { email, password })
    let most = 0
    const look = setInterval(() => (most = Math.max(most, rssMb(server.child))), 200)
    const rate = await loadFor({
      port: server.port,
      token,
      connections: CONNECTIONS,
      durationMs: LOAD_MS,
      next: () => 'GET /v1/movies?limit=20',
    })
    clearInterval(look)
    report({ what: `start to first request, ${films} films`, ours: `${server.ms.toFixed(0)} ms` })
    report({
      what: `memory, ${films} films: idle, and under ${CONNECTIONS} clients that list`,
      ours: `${idle.toFixed(0)} MB, ${most.toFixed(0)} MB (${rate.toFixed(0)} lists/s)`,
    })
  } finally {
    await stopProgram(server)
  }
}
