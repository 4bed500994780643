/**
 * One ffmpeg. It ends when it is stopped, when its output is not wanted any more, and when this process dies in whatever way: the
 * kernel kills it with its parent where `setpriv` is there, else a shell that waits for our end of a pipe to close.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { setPriority } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'

export interface Exit {
  readonly code: number | null
  readonly signal: string | null
  /** The end of what it said on stderr. */
  readonly errors: string
}

export interface FfmpegProcess {
  readonly pid: number | undefined
  /** Left unread, it makes ffmpeg wait. */
  readonly output: AsyncIterable<Uint8Array>
  readonly exited: Promise<Exit>
  /** At once; there is nothing to clean up. */
  kill(): void
}

export type Guard = 'setpriv' | 'watchdog'

/** Below what a person waits for in front of the machine. */
const NICENESS = 5
/** Of trials, and of what reads films in the background: behind the transcodes. */
const LAST_NICENESS = 19
/** Static builds crash on a transport stream when they load the machine's character set modules; nothing here needs them. */
const NO_CHARACTER_SETS = { GCONV_PATH: '/nonexistent' }
const KEPT_ERROR_BYTES = 64 * 1024
const WATCHDOG = 'while read -r _; do :; done; kill -9 "$1"'

export function findGuard(path = process.env['PATH'] ?? ''): Guard {
  return isOnPath('setpriv', path) ? 'setpriv' : 'watchdog'
}

export function isOnPath(program: string, path = process.env['PATH'] ?? ''): boolean {
  return path.split(delimiter).some((folder) => isExecutable(join(folder, program)))
}

export function startFfmpeg(program: string, args: readonly string[], guard: Guard): FfmpegProcess {
  const [command, ...all] = guard === 'setpriv' ? ['setpriv', '--pdeathsig', 'KILL', program, ...args] : [program, ...args]
  const child = spawn(command, all, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...NO_CHARACTER_SETS } })
  const errors = keepErrors(child.stderr)
  const unguard = guard === 'watchdog' ? startWatchdog(child.pid) : () => undefined
  lowerPriority(child.pid, NICENESS)
  const exited = exitOf(child, errors).finally(unguard)
  return {
    pid: child.pid,
    output: child.stdout,
    exited,
    kill() {
      child.kill('SIGKILL')
      // What is left in the pipe would keep it open.
      child.stdout.destroy()
    },
  }
}

function exitOf(child: ChildProcess, errors: () => string): Promise<Exit> {
  const { promise, resolve } = Promise.withResolvers<Exit>()
  child.once('error', (error) => resolve({ code: null, signal: null, errors: error.message }))
  child.once('exit', (code, signal) => {
    // The last words may still be in the pipe.
    setImmediate(() => resolve({ code, signal, errors: errors() }))
  })
  return promise
}

/** Keeps the last bytes of stderr, and reads on for ever so that ffmpeg never waits for us to listen. */
function keepErrors(stderr: Readable): () => string {
  let kept = ''
  stderr.setEncoding('utf8')
  stderr.on('data', (text: string) => {
    kept = (kept + text).slice(-KEPT_ERROR_BYTES)
  })
  stderr.on('error', () => undefined)
  return () => kept.trim()
}

function startWatchdog(pid: number | undefined): () => void {
  if (pid === undefined) return () => undefined
  const child = spawn('sh', ['-c', WATCHDOG, 'sh', String(pid)], { stdio: ['pipe', 'ignore', 'ignore'] })
  child.on('error', () => undefined)
  child.stdin.on('error', () => undefined)
  return () => child.kill('SIGKILL')
}

export const putBehind = (pid: number | undefined): void => lowerPriority(pid, LAST_NICENESS)

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
