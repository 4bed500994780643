/**
 * Runs a server that tests need as a separate process on a free port with its own data. It can be stopped, killed and restarted on the
 * same port with the same data.
 */
import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { untilStopped } from '../fixtures/processes.ts'
import { spawnBound } from './bound-process.ts'

export interface TestServer {
  /** The address with which the product is configured. */
  readonly url: string
  /** Its name and version, as it reports them. */
  readonly name: string
  pid(): number
  signal(signal: NodeJS.Signals): void
  /** Simulates an outage until SIGCONT. It has begun when this settles: nothing is answered any more. */
  suspend(): Promise<void>
  /** Kills the process; its data stays. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Restarts it after `kill`, and settles when it answers. */
  restart(): Promise<void>
  /** Stops it and deletes its data. */
  stop(): Promise<void>
}

export interface ServerProgram {
  readonly name: string
  readonly url: (port: number) => string
  readonly command: string
  readonly args: (place: { readonly port: number; readonly folder: string }) => readonly string[]
  /** Beside the environment of the test. */
  readonly env?: Readonly<Record<string, string>>
  /** Whether it answers. */
  readonly answers: (port: number) => Promise<boolean>
}

/** A start takes half a second; busy machines have taken more than twenty. */
const START_MS = 60_000
/** As service managers do. Node can loop for ever in nghttp2 when a busy HTTP/2 server closes its sessions. */
const END_MS = 10_000
const LOOK_EVERY_MS = 50
const OUTPUT_MAX = 20_000
const STARTS_MAX = 3
const IN_USE = /address already in use|EADDRINUSE/i

export async function startTestServer({ name, url, command, args, env, answers }: ServerProgram): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-server-'))
  let port = await freePort()
  let child: ChildProcess | undefined
  let exited: Promise<unknown> = Promise.resolve()

  async function start(): Promise<void> {
    const started = spawnBound(command, args({ port, folder }), { env: { ...process.env, ...env } })
    child = started
    let output = ''
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (text) => (output = `${output}${text}`.slice(-OUTPUT_MAX)))
    let ended: string | undefined
    exited = new Promise<void>((settle) => {
      started.once('exit', (code, signal) => settle(void (ended = `it ended by ${signal ?? code}`)))
      started.once('error', (error) => settle(void (ended = error.message)))
    })
    const deadline = performance.now() + START_MS
    for (;;) {
      const isUp = await answers(port)
      if (!isUp && performance.now() > deadline) ended = `it does not answer within ${START_MS} ms`
      // Then whatever answers is another server.
      if (ended !== undefined) throw new Error(`${name} did not start: ${ended}\n${output}`)
      if (isUp) return
      await sleep(LOOK_EVERY_MS)
    }
  }

  /** On another port if somebody took this one before the server did. */
  async function startFirst(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await start()
      } catch (cause) {
        await kill()
        if (tries === STARTS_MAX || !IN_USE.test(String(cause))) throw cause
        port = await freePort()
      }
    }
  }

  async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    child?.kill(signal)
    // A stopped process handles no signal but SIGKILL.
    if (signal !== 'SIGKILL') child?.kill('SIGCONT')
    const last = setTimeout(() => child?.kill('SIGKILL'), END_MS)
    await exited
    clearTimeout(last)
  }

  await startFirst()
  return {
    url: url(port),
    name,
    pid: () => child?.pid ?? 0,
    signal: (signal) => void child?.kill(signal),
    async suspend() {
      child?.kill('SIGSTOP')
      if (child?.pid !== undefined) await untilStopped(child.pid)
    },
    kill,
    restart: start,
    async stop() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** An external server: it is left running. */
export function runningServer(url: string, name: string): TestServer {
  const notOurs = async () => {
    throw new Error(`${name} is not ours to end`)
  }
  return { url, name, pid: () => 0, signal: () => {}, suspend: notOurs, kill: notOurs, restart: notOurs, stop: async () => {} }
}

/** Below the ephemeral ports: an outgoing connection could take one of those while its server is down. */
const PORTS = { from: 12_000, below: 32_000 }
const TRIES = 100

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = randomInt(PORTS.from, PORTS.below)
    if (await isFree(port)) return port
  }
  throw new Error(`None of ${TRIES} ports is free`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await new Promise<void>((settle, fail) => server.once('error', fail).listen(port, '127.0.0.1', settle))
    return true
  } catch {
    return false
  } finally {
    await new Promise((settle) => server.close(settle))
  }
}
