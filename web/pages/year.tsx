/** A year in review: what the person watched from January to December. */
import { useQuery } from '@tanstack/preact-query'
import { CalendarDays } from 'lucide'
import { playsQuery, yearQuery, type Year } from '../data/past-queries.ts'
import { rowsAt } from '../data/stats-query.ts'
import { ownZone, today } from '../data/time-zone.ts'
import { who } from '../data/who.ts'
import type { PageProps } from '../pages.ts'
import { Link } from '../parts/link.tsx'
import { Empty, Failed, NotFound, Waiting } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { amount } from '../plots/amounts.ts'
import { FigureList } from '../plots/figure-list.tsx'
import { Figure } from '../plots/figure.tsx'
import { Calendar } from '../plots/heat-map.tsx'
import { mostIn } from '../plots/heat-map-layout.ts'
import { PlotWaiting } from '../plots/plot-waiting.tsx'
import { Ranked } from '../plots/ranked.tsx'
import { hour } from '../words/calendar.ts'
import { longDate, moment, number } from '../words/format.ts'
import { say } from '../words/words.ts'
import '../words/en-past.ts'

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
        {typeof who.value === 'object' && <p class="paper-only">{who.value.name}</p>}
        <nav class="years" aria-label={say('year.years')}>
          <Link to={`/stats/${year - 1}`} class="button">
            {year - 1}
          </Link>
          {year < Number(today(tz).slice(0, 4)) && (
            <Link to={`/stats/${year + 1}`} class="button">
              {year + 1}
            </Link>
          )}
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
  const linkTo = (seen: Year['first']) => seen && <Link to={`/films/${seen.movie.id}`}>{seen.movie.title ?? say('history.untitled')}</Link>
  const figures = [
    { name: say('stats.plays'), value: link(rows, plays) },
    { name: say('stats.watched'), value: amount('seconds', seconds) },
    { name: say('stats.movies'), value: number(movies) },
    { name: say('stats.completed'), value: link(rowsAt('/history', { from, to, tz, completed: 'true' }), completed) },
  ]
  const more = [
    ...(first ? [{ name: say('year.first'), value: linkTo(first), note: moment(first.startedAt, tz) }] : []),
    ...(last ? [{ name: say('year.last'), value: linkTo(last), note: moment(last.startedAt, tz) }] : []),
    ...(longestEvening
      ? [{ name: say('year.evening'), value: amount('seconds', longestEvening.seconds), note: longDate(longestEvening.date) }]
      : []),
    ...(busiestHour === null ? [] : [{ name: say('year.hour'), value: hour(busiestHour) }]),
  ]
  return (
    <>
      <FigureList figures={figures} />
      <FigureList figures={more} isWords />
      <div class="plots">
        <Days year={year} />
        <Tops year={year} />
      </div>
    </>
  )
}

function Days({ year: { from, to, tz, year } }: { readonly year: Year }) {
  const { data, error, refetch } = useQuery(playsQuery({ from, to, tz, groupBy: 'day', metric: 'plays' }))
  if (!data) return <PlotWaiting error={error} onRetry={() => void refetch()} isWide />
  const days = data.buckets.map(({ key, ...bucket }, index) => {
    const value = data.total[index] ?? 0
    return {
      key,
      value,
      to: rowsAt('/history', { from: bucket.from ?? from, to: bucket.to ?? to, tz }),
      label: say('plot.mark', { name: longDate(key), amount: amount('plays', value) }),
    }
  })
  const most = mostIn(data.total)
  const best = most === undefined ? undefined : days[most]
  const sentence = best ? say('year.days.sentence', { day: longDate(best.key), amount: amount('plays', best.value) }) : say('stats.none')
  const table = {
    head: [say('stats.group.day'), say('stats.plays')],
    rows: days
      .filter(({ value }) => value > 0)
      .map(({ key, value, to: link }) => [
        { text: longDate(key), raw: key },
        { text: number(value), raw: value, to: link },
      ]),
  }
  return (
    <Figure title={say('year.days')} sentence={sentence} tz={tz} table={table} file={`days-of-${year}`} isWide>
      <Calendar label={sentence} days={days} />
    </Figure>
  )
}

interface TopProps {
  readonly title: string
  /** Heading of the names. */
  readonly head: string
  readonly items: readonly {
    readonly name: string
    readonly seconds: number
    readonly plays: number
    readonly to: string
    readonly rows?: string
  }[]
  readonly file: string
}

/** What was watched longest. `to` is where a name leads; `rows`, where its viewings are. */
function Top({ title, head, items, file }: TopProps) {
  const [best] = items
  if (!best) return null
  const rows = items.map(({ name, seconds, to }) => ({ name, value: seconds, text: amount('seconds', seconds), to }))
  const table = {
    head: [head, say('stats.watched'), say('stats.plays')],
    rows: items.map(({ name, seconds, plays, rows: link }) => [
      { text: name },
      { text: amount('seconds', seconds), raw: seconds },
      { text: number(plays), raw: plays, ...(link === undefined ? {} : { to: link }) },
    ]),
  }
  const sentence = say('stats.top.sentence', { name: best.name, amount: amount('seconds', best.seconds) })
  return (
    <Figure title={title} sentence={sentence} table={table} file={file}>
      <Ranked items={rows} />
    </Figure>
  )
}

/** Genres and people are no filters of the history: the films lead on. */
function Tops({ year: { topMovies, genres, people, from, to, tz, year } }: { readonly year: Year }) {
  const movies = topMovies.map(({ movie, seconds, plays }) => {
    const rows = rowsAt('/history', { from, to, tz, movieId: movie.id })
    return { name: movie.title ?? say('history.untitled'), seconds, plays, to: rows, rows }
  })
  const withLinks = (items: Year['genres'], path: string) =>
    items.map(({ name, seconds, plays }) => ({ name, seconds, plays, to: `${path}${encodeURIComponent(name)}` }))
  return (
    <>
      <Top title={say('stats.top.movie')} head={say('stats.by.movie')} items={movies} file={`films-of-${year}`} />
      <Top title={say('year.genres')} head={say('year.genres')} items={withLinks(genres, '/films?genre=')} file="genres" />
      <Top title={say('year.people')} head={say('year.people')} items={withLinks(people, '/search?q=')} file="people" />
    </>
  )
}
