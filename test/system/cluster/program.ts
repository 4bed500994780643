/** Runs one of Marquee's programs as a separate process, which can be stopped, suspended, killed and restarted with the same settings. */
import type { ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnBound } from '../../fakes/bound-process.ts'

export interface ProgramOptions {
  /** Its name here, for example `api 1`. */
  readonly name: string
  /** Relative to the project's folder. */
  readonly file: 'src/main.ts' | 'projections/main.ts' | 'transcode-agent/main.ts'
  readonly args?: readonly string[]
  /** Its whole environment except the PATH. */
  readonly env: Readonly<Record<string, string>>
  /** Its working folder; created if it is missing. */
  readonly folder: string
}

export interface Program {
  readonly name: string
  pid(): number
  /** Its output so far, including earlier runs; the newest 200,000 characters. */
  output(): string
  /** Settles with the pattern's match in the output of this run. @throws if the process ends, or after two minutes */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Suspended by SIGSTOP until `cont`. */
  stop(): void
  cont(): void
  kill(): Promise<void>
  /** Sends the signal and waits for the end; returns the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** Restarts it after its end. */
  restart(): void
}

const ROOT = resolve(import.meta.dirname, '../../..')
const PRINT_MS = 120_000
const LOOK_EVERY_MS = 50
const OUTPUT_MAX = 200_000

export function startProgram({ name, file, args = [], env, folder }: ProgramOptions): Program {
  mkdirSync(folder, { recursive: true })
  let child: ChildProcess
  let exited: Promise<number | null>
  let before = ''
  let output = ''

  function start(): void {
    before = `${before}${output}`.slice(-OUTPUT_MAX)
    output = ''
    const nodeArgs = ['--disable-warning=ExperimentalWarning', join(ROOT, file), ...args]
    const started = spawnBound(process.execPath, nodeArgs, { cwd: folder, env: { PATH: process.env['PATH'], ...env } })
    const take = (text: string) => (output = `${output}${text}`.slice(-OUTPUT_MAX))
    for (const stream of [started.stdout, started.stderr]) stream.setEncoding('utf8').on('data', take)
    exited = new Promise((settle) => started.once('exit', settle))
    child = started
  }

  const hasEnded = () => child.exitCode !== null || child.signalCode !== null

  async function printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (const deadline = Date.now() + PRINT_MS; ; await sleep(LOOK_EVERY_MS)) {
      const found = pattern.exec(output)
      if (found) return found
      if (hasEnded() || Date.now() > deadline) throw new Error(`${name} ${hasEnded() ? 'has ended' : 'is late'}:\n${output}`)
    }
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (!hasEnded()) {
      child.kill(signal)
      // A suspended process handles no signal but SIGKILL.
      child.kill('SIGCONT')
    }
    return exited
  }

  start()
  return {
    name,
    pid: () => child.pid ?? 0,
    output: () => `${before}${output}`.slice(-OUTPUT_MAX),
    printed,
    stop: () => void child.kill('SIGSTOP'),
    cont: () => void child.kill('SIGCONT'),
    async kill() {
      await end('SIGKILL')
    },
    end,
    restart: start,
  }
}
