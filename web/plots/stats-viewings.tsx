/** How many films played at once, and where films were left. */
import { useQuery } from '@tanstack/preact-query'
import { concurrencyQuery, finishQuery, type Finish } from '../data/past-queries.ts'
import { rowsAt } from '../data/stats-query.ts'
import { dateOf } from '../data/time-zone.ts'
import { day } from '../words/calendar.ts'
import { moment, number } from '../words/format.ts'
import { say } from '../words/words.ts'
import type { Asked } from './asked.ts'
import { Figure } from './figure.tsx'
import { levelOf } from './heat-map-layout.ts'
import { Mark, Plot, useWidth } from './marks.tsx'
import { Steps } from './steps.tsx'
import { PlotWaiting } from './plot-waiting.tsx'

interface AskedProps {
  readonly asked: Asked
}

export function AtOnce({ asked: { query, path, tz } }: AskedProps) {
  const { data, error, refetch } = useQuery(concurrencyQuery(query))
  if (!data) return <PlotWaiting error={error} onRetry={() => void refetch()} isWide />
  const linkOf = (at: string, count: number) => ({
    to: rowsAt(path, { at, tz }),
    label: say('plot.mark', { name: moment(at, tz), amount: say('plot.viewings', { count }) }),
  })
  const { max, points } = data
  const sentence = max.count === 0 ? say('stats.none') : say('stats.once.sentence', { count: max.count, time: moment(max.at, tz) })
  const table = {
    head: [say('strip.at'), say('stats.once.count')],
    rows: points
      .filter(({ count }) => count > 0)
      .map(({ at, count }) => [
        { text: moment(at, tz), raw: at },
        { text: number(count), raw: count, to: linkOf(at, count).to },
      ]),
  }
  return (
    <Figure title={say('stats.once')} sentence={sentence} tz={tz} table={table} file="at-once" isWide>
      <Steps label={sentence} concurrency={data} nameOf={(ms) => day(dateOf(ms, tz))} linkOf={linkOf} />
    </Figure>
  )
}

const PART_PERCENT = 5
const FILMS = 8

export function Left({ asked: { query, range, path } }: AskedProps) {
  const { data, error, refetch } = useQuery(finishQuery(query))
  if (!data) return <PlotWaiting error={error} onRetry={() => void refetch()} isWide />
  const items = data.items.filter(({ left }) => left.some((count) => count > 0)).slice(0, FILMS)
  const linkOf = ({ movie }: Item, part: number) => rowsAt(path, { ...range, movieId: movie.id, left: part })
  const total = items.reduce((sum, { left }) => sum + left.reduce((all, count) => all + count, 0), 0)
  const percents = Array.from({ length: 100 / PART_PERCENT }, (_, part) => `${part * PART_PERCENT} %`)
  const table = {
    head: [say('stats.by.movie'), say('stats.left.finished'), ...percents],
    rows: items.map((item) => [
      { text: item.movie.title ?? say('history.untitled') },
      { text: say('stats.left.users', { finished: item.finishedBy, users: item.users }) },
      ...item.left.map((count, part) => ({ text: number(count), raw: count, ...(count > 0 ? { to: linkOf(item, part) } : {}) })),
    ]),
  }
  return (
    <Figure
      title={say('stats.left')}
      sentence={total === 0 ? say('stats.left.none') : say('stats.left.sentence', { count: total })}
      table={table}
      file="left"
      isWide
    >
      <ul class="left-movies">
        {items.map((item) => (
          <li key={item.movie.id}>
            <p>
              <strong>{item.movie.title ?? say('history.untitled')}</strong>{' '}
              <span class="soft">{say('stats.left.users', { finished: item.finishedBy, users: item.users })}</span>
            </p>
            <Parts item={item} linkOf={linkOf} />
          </li>
        ))}
      </ul>
    </Figure>
  )
}

type Item = Finish['items'][number]

interface PartsProps {
  readonly item: Item
  readonly linkOf: (item: Item, part: number) => string
}

const HEIGHT = 28

/** The film from its beginning to its end: the darker, the more were left there. */
function Parts({ item, linkOf }: PartsProps) {
  const { element, width } = useWidth()
  const most = Math.max(...item.left)
  const wide = width / item.left.length
  const title = item.movie.title ?? say('history.untitled')
  const cells = item.left.map((count, part) => ({
    count,
    part,
    x: part * wide,
    name: say('history.left', { from: part * PART_PERCENT, to: (part + 1) * PART_PERCENT }),
  }))
  return (
    <div ref={element} class="plot-box">
      {width > 0 && (
        <Plot label={title} width={width} height={HEIGHT}>
          {cells.map(({ count, part, name, x }) => {
            const cell = <rect class={`heat l${levelOf(count, most)}`} x={x} y={0} width={Math.max(1, wide - 2)} height={HEIGHT} rx={2} />
            return count === 0 ? (
              <g key={name}>{cell}</g>
            ) : (
              <Mark
                key={name}
                to={linkOf(item, part)}
                label={say('plot.mark', { name: `${title}: ${name}`, amount: say('plot.viewings', { count }) })}
              >
                {cell}
              </Mark>
            )
          })}
        </Plot>
      )}
    </div>
  )
}
