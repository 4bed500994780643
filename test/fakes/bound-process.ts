/**
 * Starts a process that never outlives this one, and that a Ctrl-C in the terminal does not reach: this process ends it. Both need
 * `setpriv` (util-linux); without it, the process survives a SIGKILL of this one.
 */
import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'
import { findProgram } from '../fixtures/programs.ts'

export interface BoundOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** All programs of a test run share one compile cache: a server with a data folder of its own would compile its code at each start. */
const COMPILE_CACHE = process.env['NODE_COMPILE_CACHE']
const SHARED_CACHE = COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE: COMPILE_CACHE }

const setpriv = findProgram('setpriv')
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export function spawnBound(
  command: string,
  args: readonly string[],
  options: BoundOptions = {},
): ChildProcessByStdio<null, Readable, Readable> {
  const [program, ...all] = setpriv ? [setpriv, '--pdeathsig', 'KILL', '--', command, ...args] : [command, ...args]
  const env = { ...SHARED_CACHE, ...(options.env ?? process.env) }
  const child = spawn(program, all, { ...options, env, detached: setpriv !== undefined, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}
