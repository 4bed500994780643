/** Which processes run with a text in their command line: seen in /proc, so on Linux only. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export const hasProc = process.platform === 'linux'

export interface Found {
  readonly pid: number
  readonly command: string
}

const REST_LOOK_MS = 100

/** Zombies have no command line and are not found. */
export function processesWith(text: string): readonly Found[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  return pids.map((pid) => ({ pid: Number(pid), command: commandOf(pid) })).filter(({ command }) => command.includes(text))
}

/** Waits for a number of processes, at most so long; gives those that are there then. */
export async function untilProcesses(text: string, count: number, withinMs = 5_000): Promise<readonly Found[]> {
  for (let waitedMs = 0; waitedMs < withinMs && processesWith(text).length !== count; waitedMs += 20) await sleep(20)
  return processesWith(text)
}

/**
 * Whether a process comes to wait, and does nothing more for so long. One that others keep from a processor does nothing either, and
 * does not wait.
 */
export async function comesToRest(pid: number, restMs: number, withinMs = 60_000): Promise<boolean> {
  let [restedMs, before] = [0, '']
  for (let waitedMs = 0; waitedMs < withinMs && restedMs < restMs; waitedMs += REST_LOOK_MS) {
    const { waits, work } = lookAt(pid)
    restedMs = waits && work === before ? restedMs + REST_LOOK_MS : 0
    before = work
    await sleep(REST_LOOK_MS)
  }
  return restedMs >= restMs
}

/** Whether all threads of it wait for something else than a disk; what they have worked and transferred up to now. */
function lookAt(pid: number): { readonly waits: boolean; readonly work: string } {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => statOf(`/proc/${pid}/task/${thread}`))
  const ticks = statOf(`/proc/${pid}`).slice(11, 13)
  return { waits: threads.every(([state]) => state === 'S'), work: [...ticks, readFileSync(`/proc/${pid}/io`, 'utf8')].join() }
}

/** From the state on, which is the third: the name of the program before it may have any characters. */
const statOf = (folder: string): readonly string[] => told(`${folder}/stat`).split(') ').at(-1)?.split(' ') ?? []

const commandOf = (pid: string): string => told(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')

/** Nothing where the process or the thread has ended meanwhile. */
function told(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
