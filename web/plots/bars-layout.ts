/** Places of bars in a chart. The numbers are those of the API: nothing is added to them and nothing is lost. Pure. */
import { scaleBand, scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'
import type { Plays } from '../data/past-queries.ts'

export interface SeriesOf {
  /** Null: those that have no such value. */
  readonly key: string | null
  readonly label: string | null
  readonly values: readonly number[]
  /** All that are in no series of their own: they have no rows of their own to lead to. */
  readonly isRest?: boolean
}

export interface Bar {
  readonly bucket: number
  readonly series: number
  readonly value: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Tick {
  readonly value: number
  readonly y: number
}

export interface Box {
  readonly width: number
  readonly height: number
  readonly start: number
  readonly bottom: number
  readonly top: number
}

export interface Bars {
  readonly bars: readonly Bar[]
  readonly ticks: readonly Tick[]
  /** Middle of each bucket. */
  readonly middles: readonly number[]
  readonly baseline: number
}

const TICKS = 4
const PADDING = 0.2

/** Series for the stack. Viewings that are in none of them are one more series. Without series the total is the only one. */
export function seriesOf({ total, series }: Pick<Plays, 'total' | 'series'>): readonly SeriesOf[] {
  if (series.length === 0) return [{ key: null, label: null, values: total }]
  const rest = total.map((all, index) => Math.max(0, round(all - series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))))
  return rest.some((value) => value > 0) ? [...series, { key: null, label: null, values: rest, isRest: true }] : series
}

/** Seconds have three decimals. */
const round = (value: number): number => Math.round(value * 1000) / 1000

export function stackedBars(series: readonly SeriesOf[], buckets: number, { width, height, start, bottom, top }: Box): Bars {
  const places = Array.from({ length: buckets }, (_, index) => index)
  const totals = places.map((index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const x = scaleBand<number>()
    .domain(places)
    .range([start, width])
    .padding(buckets > 1 ? PADDING : 0.6)
  const y = scaleLinear()
    .domain([0, Math.max(1, ...totals)])
    .nice(TICKS)
    .range([height - bottom, top])
  const stacked = stack<number, number>()
    .keys(series.map((_, index) => index))
    .value((bucket, one) => series[one]?.values[bucket] ?? 0)(places)
  const bars = stacked.flatMap((layer) =>
    layer.flatMap(([low, high], bucket): readonly Bar[] => {
      const value = series[layer.key]?.values[bucket] ?? 0
      if (value <= 0) return []
      return [{ bucket, series: layer.key, value, x: x(bucket) ?? 0, y: y(high), width: x.bandwidth(), height: y(low) - y(high) }]
    }),
  )
  const ticks = y.ticks(TICKS).map((value) => ({ value, y: y(value) }))
  return { bars, ticks, middles: places.map((index) => (x(index) ?? 0) + x.bandwidth() / 2), baseline: y(0) }
}

/** Indexes of the labels that have room: the last is among them. */
export function labelled(count: number, most: number): readonly number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, most)))
  return Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % every === 0)
}
