/** Places of a line that changes in steps: how many playbacks went on at once. Pure. */
import { scaleLinear } from 'd3-scale'
import { area, curveStepAfter } from 'd3-shape'
import type { Concurrency } from '../data/past-queries.ts'
import type { Box, Tick } from './bars-layout.ts'

export interface StepMark {
  readonly at: string
  /** Until when; the end of the range for the last. */
  readonly until: string
  readonly count: number
  readonly x: number
  readonly y: number
  readonly width: number
}

export interface Steps {
  readonly path: string
  readonly marks: readonly StepMark[]
  readonly ticks: readonly Tick[]
  readonly baseline: number
  readonly timeAt: (ms: number) => number
}

const TICKS = 4

export function stepsOf({ points, max, from, to }: Concurrency, { width, height, start, bottom, top }: Box): Steps {
  const [begins, ends] = [Date.parse(from), Date.parse(to)]
  const timeAt = scaleLinear().domain([begins, ends]).range([start, width]).clamp(true)
  const most = Math.max(1, max.count)
  const y = scaleLinear()
    .domain([0, most])
    .range([height - bottom, top])
  const places = [...points.map(({ at, count }) => ({ ms: Date.parse(at), count })), { ms: ends, count: points.at(-1)?.count ?? 0 }]
  const path = area<(typeof places)[number]>()
    .x(({ ms }) => timeAt(ms))
    .y0(y(0))
    .y1(({ count }) => y(count))
    .curve(curveStepAfter)(places)
  const marks = points.flatMap(({ at, count }, index): readonly StepMark[] => {
    if (count === 0) return []
    const until = points[index + 1]?.at ?? to
    const x = timeAt(Date.parse(at))
    return [{ at, until, count, x, y: y(count), width: Math.max(1, timeAt(Date.parse(until)) - x) }]
  })
  const ticks = y
    .ticks(Math.min(TICKS, most))
    .filter(Number.isInteger)
    .map((value) => ({ value, y: y(value) }))
  return { path: path ?? '', marks, ticks, baseline: y(0), timeAt: (ms) => timeAt(ms) }
}
