/** Bars over time, stacked if there are several series: they differ in colour, pattern and name. */
import { useId } from 'preact/hooks'
import { say } from '../words/words.ts'
import { axis, scaled, type Metric } from './amounts.ts'
import { labelled, stackedBars, type SeriesOf } from './bars-layout.ts'
import { Mark, Plot, useWidth } from './marks.tsx'

export interface BarsProps {
  readonly label: string
  readonly metric: Metric
  readonly buckets: readonly string[]
  readonly series: readonly SeriesOf[]
  readonly nameOf: (series: SeriesOf) => string
  /** Where the rows of a part of a bar are, and what it is called. */
  readonly linkOf: (bucket: number, series: SeriesOf) => { readonly to: string; readonly label: string }
}

const HEIGHT = 240
const MARGIN = { start: 44, bottom: 26, top: 10 }
const LETTER_PX = 7
const GAP_PX = 20

export function Bars({ label, metric, buckets, series, nameOf, linkOf }: BarsProps) {
  const id = useId()
  const { element, width } = useWidth()
  const shown = series.map((one) => ({ ...one, values: one.values.map((value) => scaled(metric, value)) }))
  const layout = stackedBars(shown, buckets.length, { width: Math.max(width, 1), height: HEIGHT, ...MARGIN })
  const labelPx = Math.max(0, ...buckets.map((name) => name.length)) * LETTER_PX + GAP_PX
  return (
    <>
      {series.length > 1 && <Legend id={id} names={series.map(nameOf)} />}
      <div ref={element} class="plot-box">
        {width > 0 && (
          <Plot label={label} width={width} height={HEIGHT}>
            <Patterns id={id} count={series.length} />
            {layout.ticks.map(({ value, y }) => (
              <g key={value} aria-hidden="true">
                <line class="grid" x1={MARGIN.start} x2={width} y1={y} y2={y} />
                <text class="plot-tick end" x={MARGIN.start - 8} y={y} dy="0.32em">
                  {axis(metric, value)}
                </text>
              </g>
            ))}
            {layout.bars.map(({ bucket, series: index, x, y, width: wide, height }) => {
              const one = series[index]
              if (!one) return null
              return (
                <Mark key={`${bucket} ${index}`} {...linkOf(bucket, one)}>
                  <rect x={x} y={y} width={wide} height={height} {...fillOf(id, index)} />
                </Mark>
              )
            })}
            {labelled(buckets.length, Math.floor((width - MARGIN.start) / labelPx)).map((index) => (
              <text
                key={index}
                aria-hidden="true"
                class={index === buckets.length - 1 && buckets.length > 1 ? 'plot-tick end' : 'plot-tick middle'}
                x={index === buckets.length - 1 && buckets.length > 1 ? width : layout.middles[index]}
                y={HEIGHT - 6}
              >
                {buckets[index]}
              </text>
            ))}
          </Plot>
        )}
      </div>
    </>
  )
}

/** The first is plain. A class would overrule the attribute of the others. */
const fillOf = (id: string, index: number) => (index === 0 ? { class: 's1' } : { fill: `url(#${id}-${index})` })

const STROKES = ['', 'M0 8L8 0', 'M4 0V8', 'M0 4H8', 'M0 0L8 8M0 8L8 0', 'M4 4h1']

function Patterns({ id, count }: { readonly id: string; readonly count: number }) {
  return (
    <defs>
      {STROKES.slice(1, count).map((path, index) => (
        <pattern key={path} id={`${id}-${index + 1}`} width={8} height={8} patternUnits="userSpaceOnUse">
          <rect class={`s${index + 2}`} width={8} height={8} />
          <path class="hatch" d={path} />
        </pattern>
      ))}
    </defs>
  )
}

function Legend({ id, names }: { readonly id: string; readonly names: readonly string[] }) {
  return (
    <ul class="legend" aria-label={say('plot.legend')}>
      {names.map((name, index) => (
        <li key={name}>
          <svg width={18} height={18} aria-hidden="true">
            <Patterns id={`${id}-legend`} count={names.length} />
            <rect width={18} height={18} rx={3} {...fillOf(`${id}-legend`, index)} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}
