/** A year in review: what the person watched from January to December. */
import { useQuery } from '@tanstack/preact-query'
import { CalendarDays } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { playsQuery, yearQuery, type Year } from '../data/past-queries.ts'
import { rowsAt } from '../data/stats-query.ts'
import { ownZone } from '../data/time-zone.ts'
import type { PageProps } from '../pages.ts'
import { Link } from '../parts/link.tsx'
import { Empty, Failed, NotFound, Waiting } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { amount } from '../plots/amounts.ts'
import { Figure } from '../plots/figure.tsx'
import { Calendar } from '../plots/heat-map.tsx'
import { mostIn } from '../plots/heat-map-layout.ts'
import { PlotWaiting } from '../plots/plot-waiting.tsx'
import { Ranked } from '../plots/ranked.tsx'
import { hour } from '../words/calendar.ts'
import { longDate, moment, number } from '../words/format.ts'
import { say } from '../words/words.ts'

const FIRST_YEAR = 1901
const LAST_YEAR = 2999

export function Page({ params: { year: text = '' } }: PageProps) {
  const year = /^\d{4}$/.test(text) ? Number(text) : 0
  return year < FIRST_YEAR || year > LAST_YEAR ? <NotFound /> : <Review year={year} />
}

function Review({ year }: { readonly year: number }) {
  const tz = ownZone()
  const { data, error, refetch } = useQuery(yearQuery(year, tz))
  return (
    <div class="past">
      <div class="list-head">
        <Title named={say('stats.year', { year: String(year) })} />
        <nav class="years" aria-label={say('year.years')}>
          <Link to={`/stats/${year - 1}`} class="button">
            {year - 1}
          </Link>
          <Link to={`/stats/${year + 1}`} class="button">
            {year + 1}
          </Link>
          <Link to="/stats" class="button">
            {say('page.stats')}
          </Link>
        </nav>
      </div>
      {data ? (
        data.plays === 0 ? (
          <Empty title={say('year.none', { year: String(year) })} icon={CalendarDays}>
            <p>{say('stats.none.hint')}</p>
          </Empty>
        ) : (
          <Facts year={data} />
        )
      ) : error ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : (
        <Waiting />
      )}
    </div>
  )
}

function Facts({ year }: { readonly year: Year }) {
  const { plays, seconds, movies, completed, longestEvening, busiestHour, first, last, from, to, tz } = year
  const rows = rowsAt('/history', { from, to, tz })
  const link = (to: string, value: number) => <Link to={to}>{number(value)}</Link>
  const film = (seen: Year['first']) => seen && <Link to={`/films/${seen.movie.id}`}>{seen.movie.title ?? say('history.untitled')}</Link>
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    [say('stats.plays'), link(rows, plays)],
    [say('stats.watched'), amount('seconds', seconds)],
    [say('stats.movies'), number(movies)],
    [say('stats.completed'), link(rowsAt('/history', { from, to, tz, completed: 'true' }), completed)],
  ]
  const more: readonly (readonly [string, ComponentChildren, string?])[] = [
    ...(first ? [[say('year.first'), film(first), moment(first.startedAt, tz)] as const] : []),
    ...(last ? [[say('year.last'), film(last), moment(last.startedAt, tz)] as const] : []),
    ...(longestEvening ? [[say('year.evening'), amount('seconds', longestEvening.seconds), longDate(longestEvening.date)] as const] : []),
    ...(busiestHour === null ? [] : [[say('year.hour'), hour(busiestHour)] as const]),
  ]
  return (
    <>
      <dl class="figure-list">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <dl class="figure-list words">
        {more.map(([name, value, when]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
            {when !== undefined && <dd class="soft">{when}</dd>}
          </div>
        ))}
      </dl>
      <div class="plots">
        <Days year={year} />
        <TopFilms year={year} />
        <Named title={say('year.genres')} items={year.genres} file="genres" linkOf={(name) => `/films?genre=${encodeURIComponent(name)}`} />
        <Named title={say('year.people')} items={year.people} file="people" linkOf={(name) => `/search?q=${encodeURIComponent(name)}`} />
      </div>
    </>
  )
}

function Days({ year: { from, to, tz, year } }: { readonly year: Year }) {
  const { data, error, refetch } = useQuery(playsQuery({ from, to, tz, groupBy: 'day', metric: 'plays' }))
  if (!data) return <PlotWaiting error={error} onRetry={() => void refetch()} isWide />
  const days = data.buckets.map(({ key }, index) => ({ key, value: data.total[index] ?? 0 }))
  const linkOf = (key: string) => {
    const index = data.buckets.findIndex((bucket) => bucket.key === key)
    const bucket = data.buckets[index]
    return {
      to: rowsAt('/history', { from: bucket?.from ?? from, to: bucket?.to ?? to, tz }),
      label: say('plot.mark', { name: longDate(key), amount: amount('plays', data.total[index] ?? 0) }),
    }
  }
  const most = mostIn(data.total)
  const best = most === undefined ? undefined : days[most]
  const sentence = best ? say('year.days.sentence', { day: longDate(best.key), amount: amount('plays', best.value) }) : say('stats.none')
  const table = {
    head: [say('stats.group.day'), say('stats.plays')],
    rows: days
      .filter(({ value }) => value > 0)
      .map(({ key, value }) => [
        { text: longDate(key), raw: key },
        { text: number(value), raw: value, to: linkOf(key).to },
      ]),
  }
  return (
    <Figure title={say('year.days')} sentence={sentence} tz={tz} table={table} file={`days-of-${year}`} isWide>
      <Calendar label={sentence} days={days} linkOf={linkOf} />
    </Figure>
  )
}

function TopFilms({ year: { topMovies, from, to, tz, year } }: { readonly year: Year }) {
  if (topMovies.length === 0) return null
  const items = topMovies.map(({ movie, seconds, plays }) => ({
    name: movie.title ?? say('history.untitled'),
    value: seconds,
    plays,
    text: amount('seconds', seconds),
    to: rowsAt('/history', { from, to, tz, movieId: movie.id }),
  }))
  const table = {
    head: [say('stats.by.movie'), say('stats.watched'), say('stats.plays')],
    rows: items.map(({ name, value, plays, text, to: link }) => [
      { text: name },
      { text, raw: value },
      { text: number(plays), raw: plays, to: link },
    ]),
  }
  const [best] = items
  return (
    <Figure
      title={say('stats.top.movie')}
      sentence={best ? say('stats.top.sentence', { name: best.name, amount: best.text }) : ''}
      table={table}
      file={`films-of-${year}`}
    >
      <Ranked items={items} />
    </Figure>
  )
}

interface NamedProps {
  readonly title: string
  readonly items: Year['genres']
  readonly file: string
  /** These are no filters of the history: the films lead on. */
  readonly linkOf: (name: string) => string
}

function Named({ title, items, file, linkOf }: NamedProps) {
  if (items.length === 0) return null
  const rows = items.map(({ name, seconds }) => ({ name, value: seconds, text: amount('seconds', seconds), to: linkOf(name) }))
  const table = {
    head: [title, say('stats.watched'), say('stats.plays')],
    rows: items.map(({ name, seconds, plays }) => [
      { text: name },
      { text: amount('seconds', seconds), raw: seconds },
      { text: number(plays), raw: plays },
    ]),
  }
  const [best] = rows
  return (
    <Figure
      title={title}
      sentence={best ? say('stats.top.sentence', { name: best.name, amount: best.text }) : ''}
      table={table}
      file={file}
    >
      <Ranked items={rows} />
    </Figure>
  )
}
