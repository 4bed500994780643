/** Compares the first period of a soak run with the last one: what has grown, and a table of all figures. */
import type { Sample } from './samples.ts'

const GROWTH_MAX = 1.05
/** A figure this small moves by one or two with the moment at which it is read. */
const COUNT_SLACK = 2
const MB_SLACK = 1

/** `log: ...`: what grows with the log, by design, or lies within what another figure measures. */
const UNJUDGED = /^log:/
/** What must be as it was at rest, without any tolerance. */
const STEADY = new Set(['children: ffmpeg', 'sessions'])
/** What may not leak, whatever the length of the run; memory and disk need longer to become flat. */
const LEAKS = /^(handles|open|children|threads|sessions)/

export interface Growth {
  readonly name: string
  readonly first: number
  readonly last: number
}

/** @param only figures that count in a run that is too short for memory and disk */
export function grown(samples: readonly Sample[], only: 'all' | 'leaks' = 'all'): readonly Growth[] {
  const [first = {}, last = {}] = [samples[0], samples.at(-1)]
  return namesIn([first, last])
    .filter((name) => !UNJUDGED.test(name) && (only === 'all' || LEAKS.test(name)))
    .map((name) => ({ name, first: first[name] ?? 0, last: last[name] ?? 0 }))
    .filter((growth) => growth.last > most(growth))
}

function most({ name, first }: Growth): number {
  if (STEADY.has(name)) return first
  const slack = name.endsWith('(MB)') ? MB_SLACK : name.includes('(') ? 0 : COUNT_SLACK
  return Math.max(first * GROWTH_MAX, first + slack)
}

/** One line for each figure: its value in each sample, and the last divided by the first. */
export function tableOf(samples: readonly Sample[]): string {
  const head = ['figure', ...samples.map((_, n) => `period ${n + 1}`), 'last / first']
  const rows = namesIn(samples).map((name) => {
    const values = samples.map((sample) => sample[name] ?? 0)
    const [first = 0, last = 0] = [values[0], values.at(-1)]
    return [name, ...values.map(written), first === 0 ? '' : (last / first).toFixed(2)]
  })
  const cells = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const namesIn = (samples: readonly Sample[]): readonly string[] => [...new Set(samples.flatMap((sample) => Object.keys(sample)))]

const written = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(1))
