/** How the numbers of plots are written. */
import { say } from '../words/words.ts'
import { number, shortDuration } from '../words/format.ts'

export type Metric = 'plays' | 'seconds'

const HOUR = 3600

/** "12 viewings", or "3 h 20 min". */
export const amount = (metric: Metric, value: number): string =>
  metric === 'plays' ? say('plot.viewings', { count: value }) : shortDuration(value)

/** Plots of seconds have axes of hours. */
export const scaled = (metric: Metric, value: number): number => (metric === 'plays' ? value : value / HOUR)
export const axis = (metric: Metric, value: number): string =>
  metric === 'plays' ? number(value) : say('plot.hours', { hours: number(value) })

/** For files: hours with two decimals. */
export const raw = (metric: Metric, value: number): number => (metric === 'plays' ? value : Math.round((value / HOUR) * 100) / 100)
