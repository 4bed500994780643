/** Reads CPU time of processes, user and system, with Linux's resolution of a hundredth of a second. */
import { readdirSync, readFileSync } from 'node:fs'

const TICK_MS = 10

interface Stat {
  readonly parent: number
  readonly ownMs: number
  /** Of its ended children. */
  readonly childrenMs: number
}

function statOf(pid: number | string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const field = (number: number): number => Number(fields[number - 3])
    const [ownMs, childrenMs] = [field(14) + field(15), field(16) + field(17)].map((ticks) => ticks * TICK_MS)
    return { parent: field(4), ownMs: ownMs ?? 0, childrenMs: childrenMs ?? 0 }
  } catch {
    return undefined
  }
}

/** Of a process, its children, and its ended children. */
export function treeCpuMs(pid: number): number {
  const own = statOf(pid)
  const children = childrenOf(pid).reduce((sum, child) => sum + cpuMs(child), 0)
  return (own ? own.ownMs + own.childrenMs : 0) + children
}

export const cpuMs = (pid: number): number => statOf(pid)?.ownMs ?? 0

/** Of this process's ended children. */
export const endedChildrenCpuMs = (): number => statOf('self')?.childrenMs ?? 0

export function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(name)?.parent === pid)
    .map(Number)
}

export function argumentsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
  } catch {
    return []
  }
}
