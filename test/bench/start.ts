/**
 * Measures the start of the whole server, as `src/main.ts` runs it after `npm run build`, until it has answered its first request, in
 * turns with a bare Fastify, and its memory.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../fakes/server.ts'
import { loadFor } from './load.ts'
import { median, type Report } from './table.ts'

const GOAL = 2
const ROUNDS = 5
const LOOK_EVERY_MS = 5
const BOUND_MS = 120_000
const SETTLE_MS = 3000
const LOAD_MS = 8000
const CONNECTIONS = 64
const ROOT = join(import.meta.dirname, '../..')
const BARE = `import fastify from 'fastify'
const app = fastify()
app.get('/readyz', async () => ({ ready: true }))
await app.listen({ host: '127.0.0.1', port: Number(process.env.MARQUEE_PORT) })`

interface Started {
  readonly port: number
  readonly ms: number
  readonly child: ChildProcess
}

export async function measureStart(report: Report, folder: string): Promise<void> {
  const times = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++) {
    const bare = await started(['--input-type=module', '-e', BARE], folder)
    await stopped(bare)
    const ours = await started(['src/main.ts'], folder)
    await stopped(ours)
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
  const server = await started(['src/main.ts'], folder)
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
    await stopped(server)
  }
}

async function started(args: readonly string[], dataDir: string): Promise<Started> {
  const port = await freePort()
  const startMs = performance.now()
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      MARQUEE_DATA_DIR: dataDir,
      MARQUEE_PORT: String(port),
      MARQUEE_HOST: '127.0.0.1',
      MARQUEE_ADMIN_PASSWORD: 'a long password',
      MARQUEE_RATE_LIMIT: '1000000',
      MARQUEE_LOG_LEVEL: 'error',
    },
  })
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(BOUND_MS) }).catch(() => undefined)
    if (answered?.ok) return { port, child, ms: performance.now() - startMs }
    if (child.exitCode !== null || performance.now() - startMs > BOUND_MS) throw new Error(`It has not started (${child.exitCode})`)
    await sleep(LOOK_EVERY_MS)
  }
}

async function stopped({ child }: Started): Promise<void> {
  const gone = once(child, 'exit', { signal: AbortSignal.timeout(BOUND_MS) })
  child.kill('SIGTERM')
  await gone
}

async function signIn(port: number, credentials: { readonly email: string; readonly password: string }): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
    signal: AbortSignal.timeout(BOUND_MS),
  })
  return ((await answer.json()) as { readonly token: string }).token
}

const rssMb = ({ pid }: ChildProcess): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
