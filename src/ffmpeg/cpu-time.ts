/**
 * Counts the CPU time of ffmpeg and ffprobe by their work, for a counter that never falls. Until `meterCpuTime` is called nothing is
 * counted. Then a read costs a file of /proc for each running program, and each end of a program one more.
 *
 * Limits: Linux only, in steps of 10 ms. The kernel reports the time of ended children as one sum. If several programs end in the same
 * turn of the event loop, the time since the last read is divided equally among them, which is an estimate. The
 * sum contains the shells that guard programs without `setpriv`, some milliseconds each.
 */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Work } from './confinement.ts'

/** Seconds since the meter began; empty if the system does not report them. */
export type CpuTimes = ReadonlyMap<Work, number>

interface Stat {
  readonly ownTicks: number
  /** Of its children that have ended. */
  readonly childTicks: number
}

export type ReadStat = (pid: number | 'self') => Stat | undefined

export interface CpuMeter {
  /** `other`: a child of this process whose time is not counted. */
  add(this: void, child: Pick<ChildProcess, 'pid' | 'once'>, work: Work | 'other'): void
  read(this: void): CpuTimes
}

interface Counted {
  readonly pid: number
  readonly work: Work | 'other'
  /** At the last read. */
  ticks: number
}

/** USER_HZ of Linux. */
const TICKS_PER_SECOND = 100

export function createCpuMeter(stat: ReadStat = readStat): CpuMeter {
  const ticks: Record<Counted['work'], number> = { probe: 0, read: 0, encode: 0, other: 0 }
  const living = new Set<Counted>()
  let ended: Counted[] = []
  const first = stat('self')?.childTicks
  let settledTicks = first ?? 0

  /** Takes over what programs used between the last read and their end. */
  function settle(): void {
    const childTicks = stat('self')?.childTicks ?? settledTicks
    const seenTicks = ended.reduce((sum, { ticks: seen }) => sum + seen, 0)
    const unseenTicks = Math.max(0, childTicks - settledTicks - seenTicks)
    for (const { work, ticks: seen } of ended) ticks[work] += seen + unseenTicks / ended.length
    settledTicks = childTicks
    ended = []
  }

  return {
    add(child, work) {
      if (child.pid === undefined) return
      const counted: Counted = { pid: child.pid, work, ticks: 0 }
      living.add(counted)
      child.once('exit', () => {
        living.delete(counted)
        // All that end in this turn of the event loop are already part of the kernel's sum.
        if (ended.push(counted) === 1) setImmediate(settle)
      })
    },
    read() {
      if (first === undefined) return new Map()
      for (const one of living) one.ticks = stat(one.pid)?.ownTicks ?? one.ticks
      const seconds = (work: Work): number => {
        const counted = [...living, ...ended].filter((one) => one.work === work)
        return counted.reduce((sum, one) => sum + one.ticks, ticks[work]) / TICKS_PER_SECOND
      }
      return new Map((['probe', 'read', 'encode'] as const).map((work) => [work, seconds(work)]))
    },
  }
}

/** Its name, in parentheses, may contain any characters; field 3 follows it. */
function readStat(pid: number | 'self'): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const field = (number: number): number => Number(fields[number - 3])
    return { ownTicks: field(14) + field(15), childTicks: field(16) + field(17) }
  } catch {
    return undefined
  }
}

/** Of a program that is running; undefined if it has ended, or the system does not report it. */
export function cpuSecondsOf(pid: number | undefined): number | undefined {
  const stat = pid === undefined ? undefined : readStat(pid)
  return stat && stat.ownTicks / TICKS_PER_SECOND
}

let meter: CpuMeter | undefined

/** Begins to count in this process, and returns the function that reads. */
export function meterCpuTime(): CpuMeter['read'] {
  meter ??= createCpuMeter()
  return meter.read
}

/** For every child that this process starts: the kernel's sum contains each that has ended. */
export const countChild: CpuMeter['add'] = (child, work) => meter?.add(child, work)
