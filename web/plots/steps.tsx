/** How many at once: a line that changes in steps. */
import type { Concurrency } from '../data/past-queries.ts'
import { number } from '../words/format.ts'
import { Mark, Plot, useWidth } from './marks.tsx'
import { stepsOf } from './steps-layout.ts'

export interface StepsProps {
  readonly label: string
  readonly concurrency: Concurrency
  readonly nameOf: (ms: number) => string
  readonly linkOf: (at: string, count: number) => { readonly to: string; readonly label: string }
}

const HEIGHT = 180
const MARGIN = { start: 32, bottom: 26, top: 10 }
const LABEL_PX = 90

export function Steps({ label, concurrency, nameOf, linkOf }: StepsProps) {
  const { element, width } = useWidth()
  const { path, marks, ticks, baseline, timeAt } = stepsOf(concurrency, { width: Math.max(width, 1), height: HEIGHT, ...MARGIN })
  const [from, to] = [Date.parse(concurrency.from), Date.parse(concurrency.to)]
  const count = Math.max(2, Math.min(7, Math.floor((width - MARGIN.start) / LABEL_PX)))
  const times = Array.from({ length: count }, (_, index) => from + ((to - from) * index) / (count - 1))
  return (
    <div ref={element} class="plot-box">
      {width > 0 && (
        <Plot label={label} width={width} height={HEIGHT}>
          {ticks.map(({ value, y }) => (
            <g key={value} aria-hidden="true">
              <line class="grid" x1={MARGIN.start} x2={width} y1={y} y2={y} />
              <text class="plot-tick end" x={MARGIN.start - 8} y={y} dy="0.32em">
                {number(value)}
              </text>
            </g>
          ))}
          <path class="area" d={path} aria-hidden="true" />
          {marks.map(({ at, count: many, x, y, width: wide }) => (
            <Mark key={at} {...linkOf(at, many)}>
              <rect class="s1" x={x} y={y} width={wide} height={baseline - y} />
            </Mark>
          ))}
          {times.map((ms, index) => (
            <text
              key={ms}
              aria-hidden="true"
              class={index === 0 ? 'plot-tick' : index === count - 1 ? 'plot-tick end' : 'plot-tick middle'}
              x={timeAt(ms)}
              y={HEIGHT - 6}
            >
              {nameOf(ms)}
            </text>
          ))}
        </Plot>
      )}
    </div>
  )
}
