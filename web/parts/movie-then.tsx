/** A film as it was at an earlier time: what its card held then. Nothing can be played or marked from here. */
import { useQuery } from '@tanstack/preact-query'
import { CalendarX } from 'lucide'
import { movieThenQuery } from '../data/past-queries.ts'
import { movieQuery } from '../data/queries.ts'
import { duration, list, moment } from '../words/format.ts'
import { say } from '../words/words.ts'
import { FactList } from './fact-list.tsx'
import { Poster } from './poster.tsx'
import { Empty, Failed, Waiting } from './states.tsx'
import { PastBand, TravelDate } from './time-travel.tsx'
import { Title } from './title.tsx'
import '../words/en-life.ts'

export interface MovieThenProps {
  readonly id: string
  readonly asOf: string
  readonly search: string
}

export function MovieThen({ id, asOf, search }: MovieThenProps) {
  const { data: movie, error, refetch } = useQuery(movieThenQuery(id, asOf))
  // The server has sent it along with the page. It has the name, if the film was not there yet.
  const { data: today } = useQuery({ ...movieQuery(id), retry: false })
  const path = `/films/${id}`
  if (movie === undefined) return error ? <Failed cause={error} onRetry={() => void refetch()} isPage /> : <Waiting />
  if (movie === null)
    return (
      <>
        <PastBand search={search} path={path} />
        <Title named={today?.title ?? say('page.movie')} />
        <Empty title={say('past.not-there')} icon={CalendarX}>
          <TravelDate search={search} path={path} />
        </Empty>
      </>
    )
  const { title, originalTitle, year, duration: seconds, overview, genres, contentRating, resolution, watchedAt, watched } = movie
  const facts = [year === null ? '' : String(year), seconds === null ? '' : duration(seconds), contentRating ?? '', resolution ?? '']
  const rows = [
    { name: say('movie.genres'), text: list(genres) },
    { name: say('movie.watched'), text: watched ? (watchedAt === null ? say('card.watched') : moment(watchedAt)) : '' },
  ]
  return (
    <article class="movie then">
      <PastBand search={search} path={path} />
      <div class="movie-head">
        <Poster movie={movie} sizes="(max-width: 37.5rem) 7rem, 17rem" isFirst />
        <div class="movie-title">
          <Title named={title} />
          {originalTitle !== null && originalTitle !== title && <p class="soft">{originalTitle}</p>}
          <ul class="facts">
            {facts
              .filter((text) => text !== '')
              .map((text) => (
                <li key={text}>{text}</li>
              ))}
          </ul>
        </div>
        <div class="movie-body">
          {overview !== null && <p class="overview">{overview}</p>}
          <FactList facts={rows} />
          <TravelDate search={search} path={path} />
        </div>
      </div>
    </article>
  )
}
