/** Reads CPU time of processes, user and system, with Linux's resolution of a hundredth of a second. */
import { readdirSync, readFileSync } from 'node:fs'

const TICK_MS = 10

interface Stat {
  readonly parent: number
  readonly ownMs: number
  /** Of its ended children. */
  readonly childrenMs: number
  /** Since the machine's start. */
  readonly startedMs: number
}

function statOf(pid: number | string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const field = (number: number): number => Number(fields[number - 3])
    const ms = (ticks: number): number => ticks * TICK_MS
    return { parent: field(4), ownMs: ms(field(14) + field(15)), childrenMs: ms(field(16) + field(17)), startedMs: ms(field(22)) }
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

/** Oldest first. Their ids say nothing about it: the system begins again after 32,768. */
export function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .flatMap((name) => {
      const stat = /^\d+$/.test(name) ? statOf(name) : undefined
      return stat?.parent === pid ? [{ pid: Number(name), startedMs: stat.startedMs }] : []
    })
    .toSorted((a, b) => a.startedMs - b.startedMs)
    .map((child) => child.pid)
}

export function argumentsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
  } catch {
    return []
  }
}
