/**
 * Measures the start of the whole server, as `src/main.ts` runs it after `npm run build`, until it has answered its first request, in
 * turns with a bare Fastify, and its memory.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { loadFor } from './load.ts'
import { median, type Report } from './table.ts'
import { BARE_FASTIFY, rssMb, signIn, startProgram, stopProgram } from './whole-server.ts'

const GOAL = 2
const ROUNDS = 5
const SETTLE_MS = 3000
const LOAD_MS = 8000
const CONNECTIONS = 64

export async function measureStart(report: Report, folder: string): Promise<void> {
  const times = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++) {
    const bare = await startProgram(BARE_FASTIFY, folder)
    await stopProgram(bare)
    const ours = await startProgram(['src/main.ts'], folder)
    await stopProgram(ours)
    // The first round creates the files and the first account.
    if (round === 0) continue
    times.bare.push(bare.ms)
    times.ours.push(ours.ms)
  }
  const [ours, bare] = [median(times.ours), median(times.bare)]
  report({
    what: 'start to first request, empty catalogue',
    ours: `${ours.toFixed(0)} ms`,
    yardstick: `${bare.toFixed(0)} ms (bare Fastify)`,
    ratio: ours / bare,
    goal: `<= ${GOAL}x`,
    met: ours / bare <= GOAL,
  })
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
