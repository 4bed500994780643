/** Which processes run with a text in their command line: seen in /proc, so on Linux only. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export const hasProc = process.platform === 'linux'

export interface Found {
  readonly pid: number
  readonly command: string
}

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

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
