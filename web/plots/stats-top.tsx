/** The most watched, by films, people, clients or libraries. */
import { useQuery } from '@tanstack/preact-query'
import { filterOf } from '../data/history-query.ts'
import { topQuery } from '../data/past-queries.ts'
import { rowsAt, type By } from '../data/stats-query.ts'
import { say } from '../words/words.ts'
import { amount, raw } from './amounts.ts'
import type { Asked } from './asked.ts'
import { Figure } from './figure.tsx'
import { Ranked } from './ranked.tsx'
import { PlotWaiting } from './plot-waiting.tsx'
import { seriesName } from './stats-time.tsx'

export interface TopProps {
  readonly asked: Asked
  readonly by: By
}

const TITLES: { readonly [K in By]?: 'stats.top.movie' | 'stats.top.user' | 'stats.top.client' | 'stats.top.library' } = {
  movie: 'stats.top.movie',
  user: 'stats.top.user',
  client: 'stats.top.client',
  library: 'stats.top.library',
}

export function TopList({ asked: { query, range, path, metric }, by }: TopProps) {
  const { data, error, refetch } = useQuery(topQuery({ ...query, by, metric, limit: 10 }))
  if (!data) return <PlotWaiting error={error} onRetry={() => void refetch()} />
  const rows = data.items.map((item) => ({
    name: seriesName(by, item),
    value: item[metric],
    plays: item.plays,
    seconds: item.seconds,
    text: amount(metric, item[metric]),
    to: rowsAt(path, { ...range, ...filterOf(by, item.key) }),
  }))
  const [first] = rows
  const table = {
    head: [say(`stats.by.${by}`), say('stats.plays'), say('stats.watched')],
    rows: rows.map(({ name, plays, seconds, to }) => [
      { text: name },
      { text: amount('plays', plays), raw: plays, to },
      { text: amount('seconds', seconds), raw: raw('seconds', seconds) },
    ]),
  }
  return (
    <Figure
      title={say(TITLES[by] ?? 'stats.top.movie')}
      sentence={first ? say('stats.top.sentence', { name: first.name, amount: first.text }) : say('stats.none')}
      table={table}
      file={`top-${by}`}
    >
      <Ranked items={rows} />
    </Figure>
  )
}
