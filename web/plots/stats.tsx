/** The figures of a range: one's own or, for administrators, everybody's. Each mark leads to the rows of the history that it counts. */
import { useQuery } from '@tanstack/preact-query'
import { ChartColumn } from 'lucide'
import { overviewQuery, type Overview } from '../data/past-queries.ts'
import { rowsAt, type By } from '../data/stats-query.ts'
import { Link } from '../parts/link.tsx'
import { Empty, Failed, Waiting } from '../parts/states.tsx'
import { number } from '../words/format.ts'
import { say } from '../words/words.ts'
import { amount } from './amounts.ts'
import { askedOf, type Asked, type StatsProps } from './asked.ts'
import { FigureList } from './figure-list.tsx'
import { AtOnce, Left } from './stats-viewings.tsx'
import { OverTime, OverWeek } from './stats-time.tsx'
import { TopList } from './stats-top.tsx'

const TOPS: readonly By[] = ['movie', 'client']
const TOPS_OF_ALL: readonly By[] = ['movie', 'user', 'client', 'library']

export function Stats(props: StatsProps) {
  const asked = askedOf(props)
  const { data, error, refetch } = useQuery(overviewQuery(asked.query))
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Waiting />
  if (data.plays === 0)
    return (
      <Empty title={say('stats.none')} icon={ChartColumn}>
        <p>{say('stats.none.hint')}</p>
      </Empty>
    )
  const isAll = props.scope === 'all'
  return (
    <>
      <Tiles overview={data} asked={asked} isAll={isAll} />
      <div class="plots">
        <OverTime asked={asked} isAll={isAll} />
        <OverWeek asked={asked} />
        {(isAll ? TOPS_OF_ALL : TOPS).map((by) => (
          <TopList key={by} asked={asked} by={by} />
        ))}
        <AtOnce asked={asked} />
        <Left asked={asked} />
      </div>
    </>
  )
}

interface TilesProps {
  readonly overview: Overview
  readonly asked: Asked
  readonly isAll: boolean
}

function Tiles({ overview: { plays, seconds, movies, completed, users }, asked: { path, range }, isAll }: TilesProps) {
  const all = rowsAt(path, range)
  const tiles = [
    { name: say('stats.plays'), text: number(plays), to: all },
    { name: say('stats.watched'), text: amount('seconds', seconds), to: all },
    { name: say('stats.movies'), text: number(movies), to: all },
    { name: say('stats.completed'), text: number(completed), to: rowsAt(path, { ...range, completed: 'true' }) },
    ...(isAll ? [{ name: say('stats.users'), text: number(users), to: all }] : []),
  ]
  return <FigureList figures={tiles.map(({ name, text, to }) => ({ name, value: <Link to={to}>{text}</Link> }))} />
}
