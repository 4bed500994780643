/**
 * Runs one ffmpeg or ffprobe, confined: the only place that starts them. It ends when it is stopped, when its output is no longer wanted,
 * and when this process dies in any way. With `setpriv` the kernel kills it with its parent; otherwise a shell does, when our end of a pipe
 * closes.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'
import { findConfinement, UNCONFINED, type Work } from './confinement.ts'
import { countChild } from './cpu-time.ts'
import { programEnvironment } from './environment.ts'
import { isExecutable } from './executable.ts'

export interface Exit {
  readonly code: number | null
  readonly signal: string | null
  /** The end of its stderr output. */
  readonly errors: string
  /** The beginning of its stderr output. */
  readonly firstErrors: string
}

export interface FfmpegProcess {
  readonly pid: number | undefined
  /** Back-pressure: ffmpeg waits while this is not read. */
  readonly output: Readable
  readonly exited: Promise<Exit>
  /** Takes effect at once; there is nothing to clean up. */
  kill(): void
}

export type OrphanGuard = 'setpriv' | 'watchdog'

/** Lower priority than interactive programs on the machine. */
const NICENESS = 5
/** For tests and background reads of films: lower than the transcodes. */
const LAST_NICENESS = 19
const KEPT_ERROR_BYTES = 64 * 1024
const FIRST_ERROR_CHARACTERS = 16 * 1024
/** A film that requests more in one allocation is malicious: the largest frames take a fifth. */
const LARGEST_ALLOCATION = ['-max_alloc', String(1024 ** 3)]
const WATCHDOG = 'while read -r _; do :; done; kill -9 "$1"'

/** `setpriv`: the kernel ends the program with its parent. */
export function findOrphanGuard(path = process.env['PATH'] ?? ''): OrphanGuard {
  return findConfinement(path).diesWithParent ? 'setpriv' : 'watchdog'
}

function isOnPath(program: string, path = process.env['PATH'] ?? ''): boolean {
  return path.split(delimiter).some((folder) => isExecutable(join(folder, program)))
}

export interface StartOptions {
  readonly work: Work
  readonly guard?: OrphanGuard
  /** Lowest CPU priority. */
  readonly behind?: boolean
  /** As `behind`, and with lowest disk priority if the system supports it. */
  readonly idle?: boolean
}

/** `args`: for the program; their inputs come from `inputs.ts`. */
export function startFfmpeg(program: string, args: readonly string[], options: StartOptions): FfmpegProcess {
  const { work, guard = findOrphanGuard(), behind = false, idle = false } = options
  const confinement = guard === 'setpriv' ? findConfinement() : UNCONFINED
  const line = [...confinement.before(work), ...(idle ? idleClass() : []), program, ...LARGEST_ALLOCATION, ...args]
  const [command = program, ...all] = line
  const child = spawn(command, all, { stdio: ['ignore', 'pipe', 'pipe'], env: programEnvironment() })
  countChild(child, work)
  const errors = keepErrors(child.stderr)
  const unguard = guard === 'watchdog' ? startWatchdog(child.pid) : () => undefined
  lowerPriority(child.pid, behind || idle ? LAST_NICENESS : NICENESS)
  const exited = exitOf(child, errors).finally(unguard)
  return {
    pid: child.pid,
    output: child.stdout,
    exited,
    kill() {
      child.kill('SIGKILL')
      // Unread output would keep the pipe open.
      child.stdout.destroy()
      if (child.exitCode !== null || child.signalCode !== null) child.stderr.destroy()
    },
  }
}

let hasIdleClass: boolean | undefined
function idleClass(): readonly string[] {
  hasIdleClass ??= isOnPath('ionice')
  return hasIdleClass ? ['ionice', '-t', '-c', '3'] : []
}

type Errors = Pick<Exit, 'errors' | 'firstErrors'>

function exitOf(child: ChildProcess, errors: () => Errors): Promise<Exit> {
  const { promise, resolve } = Promise.withResolvers<Exit>()
  child.once('error', (error) => resolve({ code: null, signal: null, errors: error.message, firstErrors: error.message }))
  child.once('exit', (code, signal) => {
    const end = (): void => resolve({ code, signal, ...errors() })
    // The last output may still be in the pipe.
    if (child.killed || !child.stderr || child.stderr.closed) setImmediate(end)
    else child.stderr.once('close', end)
  })
  return promise
}

/** Keeps the beginning and the end of stderr, and keeps draining it so that ffmpeg never blocks on a full pipe. */
function keepErrors(stderr: Readable): () => Errors {
  let kept = ''
  let first = ''
  stderr.setEncoding('utf8')
  stderr.on('data', (text: string) => {
    if (first.length < FIRST_ERROR_CHARACTERS) first += text.slice(0, FIRST_ERROR_CHARACTERS - first.length)
    kept = (kept + text).slice(-KEPT_ERROR_BYTES)
  })
  stderr.on('error', () => undefined)
  return () => ({ errors: kept.trim(), firstErrors: first })
}

function startWatchdog(pid: number | undefined): () => void {
  if (pid === undefined) return () => undefined
  const child = spawn('sh', ['-c', WATCHDOG, 'sh', String(pid)], { stdio: ['pipe', 'ignore', 'ignore'], env: programEnvironment() })
  child.on('error', () => undefined)
  child.stdin.on('error', () => undefined)
  return () => child.kill('SIGKILL')
}

function lowerPriority(pid: number | undefined, niceness: number): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness)
  } catch {
    // It has already ended, or the system has no priorities.
  }
}
