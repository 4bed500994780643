/**
 * Confines ffmpeg and ffprobe, since they decode untrusted files. They may not gain privileges, exhaust memory, files, processes or CPU
 * time, or leave core dumps. This uses `setpriv` and `prlimit` of util-linux, which replace themselves with the program that they start; if
 * they are missing or refuse, the programs run without limits.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

/** `probe`: read headers and packets. `read`: decode for texts, images, loudness. `encode`: make or test segments. */
export type Work = 'probe' | 'read' | 'encode'

export interface Confinement {
  /** Whether the kernel ends the program with its parent. */
  readonly diesWithParent: boolean
  /** Programs and arguments that precede the program; `parent`: the process that starts it. */
  readonly before: (work: Work, parent?: number) => readonly string[]
  /** Unavailable protections; empty if all are available. */
  readonly missing: readonly string[]
}

const GIB = 1024 ** 3
const HOUR_S = 3_600
const TRIAL_MS = 5_000
const SETPRIV = ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs']
/** The kernel sends no signal if the parent died before `setpriv` asked for it: then the program is not started at all. */
const IF_PARENT_LIVES = ['sh', '-c', '[ "$PPID" = "$1" ] || exit; shift; exec "$@"', 'marquee']
/** A limit for the user, not the program: high enough for a desktop that runs much else. */
const PROCESSES = '--nproc=8192'

/**
 * Memory is private writable memory (RLIMIT_DATA): graphics drivers reserve far more addresses than they use. 8K frames of 10 bits
 * on many threads take 3 GB to decode, 4K frames 4 GB to encode.
 */
const LIMITS: Readonly<Record<Work, readonly string[]>> = {
  probe: [`--data=${3 * GIB}`, `--cpu=${HOUR_S}`, '--nofile=128', '--fsize=0', '--core=0', PROCESSES],
  read: [`--data=${6 * GIB}`, `--cpu=${24 * HOUR_S}`, '--nofile=512', `--fsize=${GIB}`, '--core=0', PROCESSES],
  encode: [`--data=${12 * GIB}`, `--cpu=${240 * HOUR_S}`, '--nofile=1024', `--fsize=${GIB}`, '--core=0', PROCESSES],
}

export const UNCONFINED: Confinement = { diesWithParent: false, before: () => [], missing: ['no-new-privs', 'limits'] }

const known = new Map<string, Confinement>()
/** Whether commands were started, by `nameOf`. */
const tried = new Map<string, boolean>()

/**
 * Tries what is usually there beside other work of a start: nothing has to wait for it later. All of it in one process, each program of
 * which starts the next one: the limits go down from `encode` to `probe`. If that does not start, each command is tried alone.
 */
export async function tryConfinement(path = process.env['PATH'] ?? ''): Promise<void> {
  const usual = [SETPRIV, ...[LIMITS.encode, LIMITS.read, LIMITS.probe].map(prlimit)]
  const isAllThere = await starts(usual.flat(), path)
  await Promise.all(usual.map(async (command) => tried.set(nameOf(command, path), isAllThere || (await starts(command, path)))))
}

/** Tried once for each PATH. */
export function findConfinement(path = process.env['PATH'] ?? ''): Confinement {
  const found = known.get(path) ?? tryAll(path)
  known.set(path, found)
  return found
}

function tryAll(path: string): Confinement {
  const works = (command: readonly string[]): boolean => tried.get(nameOf(command, path)) ?? isStarted(command, path)
  const setpriv = works(SETPRIV) ? SETPRIV : []
  const limits = {
    probe: prlimitOf(LIMITS.probe, works),
    read: prlimitOf(LIMITS.read, works),
    encode: prlimitOf(LIMITS.encode, works),
  }
  const refused = [...new Set(Object.values(limits).flatMap(({ refused: each }) => each))]
  return {
    diesWithParent: setpriv.length > 0,
    before: (work, parent = process.pid) => [
      ...limits[work].command,
      ...(setpriv.length > 0 ? [...setpriv, ...IF_PARENT_LIVES, String(parent)] : []),
    ],
    missing: [...(setpriv.length > 0 ? [] : ['no-new-privs']), ...refused],
  }
}

/** Sets the limits that can be set: a limit that is already lower cannot be raised. */
function prlimitOf(all: readonly string[], works: (command: readonly string[]) => boolean) {
  if (works(prlimit(all))) return { command: prlimit(all), refused: [] }
  const kept = all.filter((limit) => works(['prlimit', limit]))
  const refused = all.filter((limit) => !kept.includes(limit)).map((limit) => limit.slice(2, limit.indexOf('=')))
  return { command: kept.length > 0 ? ['prlimit', ...kept] : [], refused }
}

const prlimit = (limits: readonly string[]): readonly string[] => ['prlimit', ...limits]

const nameOf = (command: readonly string[], path: string): string => [path, ...command].join('\0')

/** It starts a program that does nothing. */
const trialOf = (path: string) => ({ stdio: 'ignore', timeout: TRIAL_MS, env: { PATH: path } }) as const

function isStarted([program = '', ...args]: readonly string[], path: string): boolean {
  return spawnSync(program, [...args, 'true'], trialOf(path)).status === 0
}

async function starts([program = '', ...args]: readonly string[], path: string): Promise<boolean> {
  try {
    const [code] = await once(spawn(program, [...args, 'true'], trialOf(path)), 'exit')
    return code === 0
  } catch {
    return false
  }
}

let isReported = false

/** Reports the missing protections once in the life of the process. */
export function warnUnconfined(report: (cause: Error, level: 'warn') => void, { missing } = findConfinement()): void {
  if (isReported || missing.length === 0) return
  isReported = true
  const advice = 'Install util-linux (setpriv and prlimit) if the system has it'
  report(new Error(`ffmpeg and ffprobe run without limits on this machine: ${missing.join(', ')} cannot be set. ${advice}.`), 'warn')
}
