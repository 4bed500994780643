/**
 * One ffmpeg or ffprobe, confined: the only place that starts them. It ends when it is stopped, when its output is not wanted any more, and when this process dies in whatever way: the
 * kernel kills it with its parent where `setpriv` is there, else a shell that waits for our end of a pipe to close.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { setPriority } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'
import { findConfinement, UNCONFINED, type Work } from './confinement.ts'
import { programEnvironment } from './environment.ts'

export interface Exit {
  readonly code: number | null
  readonly signal: string | null
  /** The end of what it said on stderr. */
  readonly errors: string
  /** The beginning of it. */
  readonly firstErrors: string
}

export interface FfmpegProcess {
  readonly pid: number | undefined
  /** Left unread, it makes ffmpeg wait. */
  readonly output: Readable
  readonly exited: Promise<Exit>
  /** At once; there is nothing to clean up. */
  kill(): void
}

export type OrphanGuard = 'setpriv' | 'watchdog'

/** Below what a person waits for in front of the machine. */
const NICENESS = 5
/** Of trials, and of what reads films in the background: behind the transcodes. */
const LAST_NICENESS = 19
const KEPT_ERROR_BYTES = 64 * 1024
const FIRST_ERROR_CHARACTERS = 16 * 1024
/** A film that asks for more at once in one piece is made to do harm: the largest pictures take a fifth. */
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
  /** The processor prefers everything else on the machine. */
  readonly behind?: boolean
  /** As behind, and so do its disks where the system has such a class. */
  readonly idle?: boolean
}

/** `args`: for the program; their inputs come from `inputs.ts`. */
export function startFfmpeg(program: string, args: readonly string[], options: StartOptions): FfmpegProcess {
  const { work, guard = findOrphanGuard(), behind = false, idle = false } = options
  const confinement = guard === 'setpriv' ? findConfinement() : UNCONFINED
  const line = [...confinement.before(work), ...(idle ? idleClass() : []), program, ...LARGEST_ALLOCATION, ...args]
  const [command = program, ...all] = line
  const child = spawn(command, all, { stdio: ['ignore', 'pipe', 'pipe'], env: programEnvironment() })
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
      // What is left in the pipe would keep it open.
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
    // The last words may still be in the pipe.
    if (child.killed || !child.stderr || child.stderr.closed) setImmediate(end)
    else child.stderr.once('close', end)
  })
  return promise
}

/** Keeps the first and the last of stderr, and reads on for ever so that ffmpeg never waits for us to listen. */
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
    // It has ended already, or the system has no priorities.
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
