/** Figures over time, and over the hours of the week. */
import { useQuery } from '@tanstack/preact-query'
import { filterOf } from '../data/history-query.ts'
import { playsQuery } from '../data/past-queries.ts'
import { rowsAt, type By } from '../data/stats-query.ts'
import { bucketName, hour, weekday } from '../words/calendar.ts'
import { say } from '../words/words.ts'
import { amount, raw } from './amounts.ts'
import type { Asked } from './asked.ts'
import { seriesOf, type SeriesOf } from './bars-layout.ts'
import { Bars } from './bars.tsx'
import type { TableOf } from './csv.ts'
import { Figure } from './figure.tsx'
import { mostIn } from './heat-map-layout.ts'
import { HeatMap } from './heat-map.tsx'
import { PlotWaiting } from './plot-waiting.tsx'

interface TimeProps {
  readonly asked: Asked
  readonly isAll: boolean
}

const SERIES = 5
const HOURS = 24

export function OverTime({ asked, isAll }: TimeProps) {
  const { query, range, path, metric, groupBy, tz } = asked
  const by = asked.by === 'user' && !isAll ? undefined : asked.by
  const { data, error, refetch } = useQuery(playsQuery({ ...query, groupBy, metric, ...(by === undefined ? {} : { by, limit: SERIES }) }))
  if (!data) return <PlotWaiting error={error} onRetry={() => void refetch()} isWide />
  const names = data.buckets.map(({ key }) => bucketName(key))
  const series = seriesOf(data)
  const nameOf = (one: SeriesOf): string => seriesName(by, one)
  const linkOf = (index: number, one: SeriesOf) => {
    const bucket = data.buckets[index]
    const filter = by === undefined || one.isRest ? {} : filterOf(by, one.key)
    const within = { from: bucket?.from ?? range.from, to: bucket?.to ?? range.to, tz }
    const value = amount(metric, one.values[index] ?? 0)
    const label = [names[index], ...(by === undefined ? [] : [nameOf(one)])].join(', ')
    return { to: rowsAt(path, { ...within, ...filter }), label: say('plot.mark', { name: label, amount: value }) }
  }
  const most = mostIn(data.total)
  const table: TableOf = {
    head: [say(`stats.group.${groupBy}`), say('plot.total'), ...(by === undefined ? [] : series.map(nameOf))],
    rows: data.buckets.map(({ key, from, to }, index) => {
      const link = rowsAt(path, { from: from ?? range.from, to: to ?? range.to, tz })
      const cell = (value = 0) => ({ text: amount(metric, value), raw: raw(metric, value) })
      return [
        { text: names[index] ?? key, raw: key },
        { ...cell(data.total[index]), to: link },
        ...(by === undefined ? [] : series.map((one) => ({ ...cell(one.values[index]), to: linkOf(index, one).to }))),
      ]
    }),
  }
  const sum = data.total.reduce((all, value) => all + value, 0)
  const sentence =
    most === undefined
      ? say('stats.none')
      : say('stats.time.sentence', { all: amount(metric, sum), most: names[most] ?? '', amount: amount(metric, data.total[most] ?? 0) })
  return (
    <Figure
      title={say(metric === 'plays' ? 'stats.time.plays' : 'stats.time.seconds')}
      sentence={sentence}
      tz={tz}
      table={table}
      file="over-time"
      isWide
    >
      <Bars label={sentence} metric={metric} buckets={names} series={series} nameOf={nameOf} linkOf={linkOf} />
    </Figure>
  )
}

export function seriesName(by: By | undefined, { key, label, isRest }: Pick<SeriesOf, 'key' | 'label' | 'isRest'>): string {
  if (isRest === true) return say('plot.rest')
  if (by === 'method' && (key === 'direct' || key === 'remux' || key === 'transcode')) return say(`method.${key}`)
  if (by === undefined) return say('plot.total')
  return label ?? (by === 'user' && key !== null ? say('stats.erased') : key === null ? say('history.without') : say('history.untitled'))
}

export function OverWeek({ asked: { query, range, path, metric, tz } }: Pick<TimeProps, 'asked'>) {
  const { data, error, refetch } = useQuery(playsQuery({ ...query, groupBy: 'hourOfWeek', metric }))
  if (!data) return <PlotWaiting error={error} onRetry={() => void refetch()} isWide />
  const nameOf = (index: number) => ({ day: weekday(Math.floor(index / HOURS), 'long'), time: hour(index % HOURS) })
  const linkOf = (index: number) => ({
    to: rowsAt(path, { ...range, hourOfWeek: index }),
    label: say('plot.mark', { name: say('history.hour', nameOf(index)), amount: amount(metric, data.total[index] ?? 0) }),
  })
  const most = mostIn(data.total)
  const sentence =
    most === undefined ? say('stats.none') : say('stats.week.sentence', { ...nameOf(most), amount: amount(metric, data.total[most] ?? 0) })
  const table: TableOf = {
    head: [say('stats.hour'), ...Array.from({ length: 7 }, (_, index) => weekday(index))],
    rows: Array.from({ length: HOURS }, (_, at) => [
      { text: hour(at) },
      ...Array.from({ length: 7 }, (_, index) => {
        const value = data.total[index * HOURS + at] ?? 0
        return { text: amount(metric, value), raw: raw(metric, value), to: linkOf(index * HOURS + at).to }
      }),
    ]),
  }
  return (
    <Figure title={say('stats.week')} sentence={sentence} tz={tz} table={table} file="hours-of-the-week" isWide>
      <HeatMap label={sentence} values={data.total} linkOf={linkOf} />
    </Figure>
  )
}
