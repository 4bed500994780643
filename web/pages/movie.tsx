/** A film: where to go on, marks, versions, people, and what is technically known of its files. */
import { useQuery } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import { useSearch } from 'wouter-preact'
import { asOfIn } from '../data/as-of.ts'
import { creditsQuery, fileStatsQuery, movieQuery, type Movie } from '../data/queries.ts'
import type { PageProps } from '../pages.ts'
import { FactList } from '../parts/fact-list.tsx'
import { MovieActions } from '../parts/movie-actions.tsx'
import { MovieCast, MovieCrew } from '../parts/movie-credits.tsx'
import { MovieFiles } from '../parts/movie-files.tsx'
import { MovieLife } from '../parts/movie-life.tsx'
import { MovieThen } from '../parts/movie-then.tsx'
import { Link } from '../parts/link.tsx'
import { Poster, sourceSet, imageAt } from '../parts/poster.tsx'
import { Failed, Waiting } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { duration, languageName, list } from '../words/format.ts'
import { say } from '../words/words.ts'

const BACKDROPS = [640, 960, 1280, 1920] as const

export function Page({ params: { id = '' } }: PageProps) {
  const search = useSearch()
  const asOf = asOfIn(search)
  return asOf === undefined ? <Now id={id} search={search} /> : <MovieThen id={id} asOf={asOf} search={search} />
}

function Now({ id, search }: { readonly id: string; readonly search: string }) {
  const { data: movie, error, refetch } = useQuery(movieQuery(id))
  if (movie) return <Article movie={movie} search={search} />
  return error ? <Failed cause={error} onRetry={() => void refetch()} isPage /> : <Waiting />
}

/** A title of more letters is set smaller. */
const LONG_TITLE = 40

/** After the page is drawn and quiet, or at the latest then: the player is likely to be next. */
const WARM_UP_MS = 2000

/** Opening the page tries again. */
const warmUpPlayer = (): void => void import('./watch.tsx').then(({ preparePlayer }) => preparePlayer()).catch(() => undefined)

/** Safari has no idle callback. */
function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(run, WARM_UP_MS)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(run, { timeout: WARM_UP_MS })
  return () => cancelIdleCallback(handle)
}

function Article({ movie, search }: { readonly movie: Movie; readonly search: string }) {
  useEffect(() => whenIdle(warmUpPlayer), [])
  const { id, title, originalTitle, tagline, overview, images } = movie
  return (
    <article class={images.backdrop === null ? 'movie' : 'movie with-backdrop'}>
      <Backdrop movie={movie} />
      <div class="movie-head">
        <Poster movie={movie} sizes="(max-width: 37.5rem) 7rem, 17rem" isFirst />
        <div class="movie-title">
          <Title named={title} {...(title.length > LONG_TITLE ? { class: 'long' } : {})} />
          {originalTitle !== null && originalTitle !== title && <p class="soft">{originalTitle}</p>}
          <Facts movie={movie} />
        </div>
        <div class="movie-body">
          <MovieActions movie={movie} />
          {tagline !== null && <p class="tagline">{tagline}</p>}
          {overview !== null && <p class="overview">{overview}</p>}
          <Details movie={movie} />
        </div>
      </div>
      <People id={id} />
      <div class="movie-more">
        <Crew id={id} />
        <Files movie={movie} />
      </div>
      <MovieLife id={id} search={search} />
    </article>
  )
}

function Backdrop({ movie: { images } }: { readonly movie: Movie }) {
  const { backdrop, backdropTint } = images
  if (backdrop === null) return null
  return (
    <div class="backdrop" style={backdropTint === null ? undefined : { backgroundColor: backdropTint }}>
      <img
        src={imageAt(backdrop, 1280)}
        srcset={sourceSet(backdrop, BACKDROPS)}
        sizes="(max-width: 37.5rem) 100vw, 72rem"
        alt=""
        width={1280}
        height={720}
        decoding="async"
      />
    </div>
  )
}

function Facts({ movie }: { readonly movie: Movie }) {
  const { year, duration: seconds, contentRating, rating, resolution, hdr, availability } = movie
  const facts = [
    ...(year === null ? [] : [{ text: String(year) }]),
    ...(seconds === null ? [] : [{ text: duration(seconds) }]),
    ...(rating === null ? [] : [{ text: say('movie.rating', { rating }), kind: 'rating' }]),
    ...[contentRating, resolution, hdr?.toUpperCase()].flatMap((text) => (text ? [{ text, kind: 'badge' }] : [])),
  ]
  return (
    <>
      <ul class="facts">
        {facts.map(({ text, kind }) => (
          <li key={text} class={kind}>
            {text}
          </li>
        ))}
      </ul>
      {availability === 'missing' && <p class="warning">{say('movie.missing')}</p>}
    </>
  )
}

function Details({ movie }: { readonly movie: Movie }) {
  const { genres, audioLanguages, subtitleLanguages, collection, collectionId, studios, countries } = movie
  const facts = [
    { name: say('page.collection'), text: collection ?? '', to: `/collections/${collectionId}` },
    { name: say('movie.audio'), text: list(audioLanguages.map(languageName)) },
    { name: say('movie.subtitles'), text: list(subtitleLanguages.map(languageName)) },
    { name: say('movie.studios'), text: list(studios) },
    { name: say('movie.countries'), text: list(countries) },
  ]
  return (
    <>
      {genres.length > 0 && (
        <ul class="chips" aria-label={say('movie.genres')}>
          {genres.map((genre) => (
            <li key={genre}>
              <Link class="chip" to={`/films?genre=${encodeURIComponent(genre)}`}>
                {genre}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <FactList facts={facts} />
    </>
  )
}

function People({ id }: { readonly id: string }) {
  const { data } = useQuery(creditsQuery(id))
  return data && data.cast.length > 0 ? <MovieCast cast={data.cast} /> : null
}

function Crew({ id }: { readonly id: string }) {
  const { data } = useQuery(creditsQuery(id))
  return data ? <MovieCrew crew={data.crew} /> : null
}

function Files({ movie }: { readonly movie: Movie }) {
  const { data } = useQuery(fileStatsQuery(movie.id))
  return data ? <MovieFiles stats={data} movie={movie} /> : null
}
