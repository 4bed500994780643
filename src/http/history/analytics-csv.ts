/** Turns figures over the history into tables. */
import type { ConcurrencyBody, OverviewBody, PlaysBody, TopBody } from './analytics-schemas.ts'
import type { Cell } from './csv.ts'

export interface Table {
  readonly header: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

export const overviewTable = (body: OverviewBody): Table => ({ header: Object.keys(body), rows: [Object.values(body)] })

/** One column for each series, under its display name. */
export const playsTable = ({ buckets, total, series }: PlaysBody): Table => ({
  header: ['bucket', 'from', 'to', 'total', ...series.map(({ key, label }) => label ?? key ?? 'unknown')],
  rows: buckets.map(({ key, from, to }, n) => [key, from, to, total[n] ?? 0, ...series.map(({ values }) => values[n] ?? 0)]),
})

export const topTable = ({ items }: TopBody): Table => ({
  header: ['key', 'label', 'plays', 'seconds', 'users'],
  rows: items.map(({ key, label, plays, seconds, users }) => [key, label, plays, seconds, users]),
})

export const concurrencyTable = ({ points }: ConcurrencyBody): Table => ({
  header: ['at', 'count'],
  rows: points.map(({ at, count }) => [at, count]),
})
