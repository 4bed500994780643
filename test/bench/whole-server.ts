/** Starts the whole server, or a bare Fastify, in a process of its own, as benchmarks compare them. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NODE_OPTIONS } from '../../src/process/start-again.ts'
import { freePort } from '../fakes/server.ts'

export interface Started {
  readonly port: number
  /** Until it answered `/readyz`. */
  readonly ms: number
  readonly child: ChildProcess
}

const ROOT = join(import.meta.dirname, '../..')
const LOOK_EVERY_MS = 5
const BOUND_MS = 120_000

/** Arguments of Node for a Fastify that answers nothing but `/readyz` and posts. */
export const BARE_FASTIFY = [
  '--input-type=module',
  '-e',
  `import fastify from 'fastify'
const app = fastify()
app.get('/readyz', async () => ({ ready: true }))
app.post('/', async () => ({ done: true }))
await app.listen({ host: '127.0.0.1', port: Number(process.env.MARQUEE_PORT) })`,
] as const

/** As a package starts it, which has nothing to strip or to replace (`docs/systemd/marquee.service`). */
export const BUILT_SERVER = [...NODE_OPTIONS, 'dist/main.js']

/** @param root the checkout to start; default: this one */
export async function startProgram(
  args: readonly string[],
  dataDir: string,
  { root = ROOT, env = {} }: { readonly root?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Started> {
  const port = await freePort()
  const startMs = performance.now()
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: root,
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      MARQUEE_DATA_DIR: dataDir,
      MARQUEE_PORT: String(port),
      MARQUEE_HOST: '127.0.0.1',
      MARQUEE_ADMIN_PASSWORD: 'a long password',
      MARQUEE_RATE_LIMIT: '1000000',
      MARQUEE_LOG_LEVEL: 'error',
      ...env,
    },
  })
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(BOUND_MS) }).catch(() => undefined)
    if (answered?.ok) return { port, child, ms: performance.now() - startMs }
    if (child.exitCode !== null || performance.now() - startMs > BOUND_MS)
      throw new Error(`${args.join(' ')} in ${root} has not started (exit code ${child.exitCode})`)
    await sleep(LOOK_EVERY_MS)
  }
}

export async function stopProgram({ child }: Pick<Started, 'child'>): Promise<void> {
  const gone = once(child, 'exit', { signal: AbortSignal.timeout(BOUND_MS) })
  child.kill('SIGTERM')
  await gone
}

/** The token of a new login. */
export async function signIn(port: number, { email, password }: { readonly email: string; readonly password: string }): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
    signal: AbortSignal.timeout(BOUND_MS),
  })
  return ((await answer.json()) as { readonly token: string }).token
}

export const rssMb = ({ pid }: ChildProcess): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
