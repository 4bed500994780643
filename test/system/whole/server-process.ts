/** Runs a complete server in a separate process on its own data folder, as a user starts it. */
import type { ChildProcess } from 'node:child_process'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnBound } from '../../fakes/bound-process.ts'

export interface RunningServer {
  readonly url: string
  /** Its output so far. */
  output(): string
  /** Sends the signal and waits for the end; returns the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export interface ServerProcess extends RunningServer {
  readonly child: ChildProcess
}

export interface ServerProcessOptions {
  readonly dataDir: string
  readonly media?: string
  readonly env?: Readonly<Record<string, string>>
  /** Folder of the sources; default: this repository. */
  readonly root?: string
}

export const ADMIN = { email: 'admin@localhost', password: 'a-known-password' }
/** Settings of every server in tests. An agent's test of its encoders, or two passwords at full cost, take as long as the start of a server. */
export const SETTINGS = {
  MARQUEE_ADMIN_PASSWORD: ADMIN.password,
  MARQUEE_RATE_LIMIT: '100000',
  MARQUEE_ENCODER_TESTS: 'off',
  MARQUEE_PASSWORD_COST: '10',
}
const ROOT = resolve(import.meta.dirname, '../../..')
const START_MS = 60_000

export function startServer({ dataDir, media, env = {}, root = ROOT }: ServerProcessOptions): Promise<ServerProcess> {
  return startProgram({
    program: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', join(root, 'src/main.ts'), ...(media ? ['--media', media] : [])],
    cwd: dataDir,
    env: { PATH: process.env['PATH'], MARQUEE_HOST: '127.0.0.1', MARQUEE_PORT: '0', MARQUEE_DATA_DIR: dataDir, ...SETTINGS, ...env },
  })
}

export interface Program {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Waits until the server says where it is. */
export async function startProgram({ program, args, cwd, env }: Program): Promise<ServerProcess> {
  const child = spawnBound(program, args, { cwd, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = new Promise<number | null>((settle) => child.once('exit', settle))
  const deadline = Date.now() + START_MS
  for (;;) {
    const url = /Go to:\s+(http:\/\/\S+)/.exec(output)?.[1]
    if (url) {
      const end = async (signal: NodeJS.Signals) => (child.kill(signal), ended)
      return { url, child, output: () => output, end }
    }
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The server did not start:\n${output}`)
    await sleep(50)
  }
}

export interface Api {
  readonly token: string
  readonly userId: string
  send(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly json: Record<string, never> }>
}

/** A signed-in caller. Bodies are not validated: a test asserts its expectations itself. */
export async function signIn(url: string, account: { readonly email: string; readonly password: string } = ADMIN): Promise<Api> {
  const send = async (method: string, path: string, body: object | undefined, token: string | undefined) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(30_000),
    })
    const text = await answer.text()
    return { status: answer.status, json: text.startsWith('{') ? (JSON.parse(text) as Record<string, never>) : {} }
  }
  const { status, json } = await send('POST', '/api/auth/sign-in/email', account, undefined)
  if (status !== 200) throw new Error(`The sign-in of ${account.email} was answered with ${status} ${JSON.stringify(json)}`)
  const { token, user } = json as unknown as { token: string; user: { id: string } }
  return { token, userId: user.id, send: (method, path, body) => send(method, path, body, token) }
}

/** Waits until the first library has been scanned; returns its movies by title. */
export async function scannedMovies(api: Api): Promise<ReadonlyMap<string, { readonly id: string; readonly duration: number }>> {
  const deadline = Date.now() + START_MS
  for (;;) {
    // A server that has just started may answer 503 for a moment.
    const { items } = (await api.send('GET', '/v1/libraries')).json as unknown as {
      readonly items?: readonly { readonly state: string; readonly lastScan: object | null }[]
    }
    if (items?.[0]?.lastScan && items[0].state === 'idle') break
    if (Date.now() > deadline) throw new Error('The scan did not end')
    await sleep(100)
  }
  const list = (await api.send('GET', '/v1/movies?limit=100')).json as unknown as {
    items: { id: string; title: string; duration: number }[]
  }
  return new Map(list.items.map((movie) => [movie.title, movie]))
}
