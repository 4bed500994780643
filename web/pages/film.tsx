/** A film: where to go on, marks, versions, people, and what is technically known of its files. */
import { useQuery } from '@tanstack/preact-query'
import { creditsQuery, fileStatsQuery, movieQuery, type Movie } from '../data/queries.ts'
import type { PageProps } from '../pages.ts'
import { FilmActions } from '../parts/film-actions.tsx'
import { FilmCredits } from '../parts/film-credits.tsx'
import { FilmFiles } from '../parts/film-files.tsx'
import { Link } from '../parts/link.tsx'
import { Poster, sourceSet, imageAt } from '../parts/poster.tsx'
import { Failed, Waiting } from '../parts/states.tsx'
import { duration, languageName, list } from '../words/format.ts'
import { say } from '../words/words.ts'
import { useEffect } from 'preact/hooks'

const BACKDROPS = [640, 1280, 1920] as const

export function Page({ params: { id = '' } }: PageProps) {
  const { data: movie, error, refetch } = useQuery(movieQuery(id))
  useEffect(() => {
    if (movie) document.title = `${movie.title} · ${say('app.name')}`
  }, [movie])
  if (movie) return <Film movie={movie} />
  return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Waiting />
}

function Film({ movie }: { readonly movie: Movie }) {
  const { title, originalTitle, tagline, overview } = movie
  return (
    <article class="film">
      <Backdrop movie={movie} />
      <div class="film-head">
        <Poster movie={movie} sizes="(max-width: 46rem) 40vw, 16rem" isFirst />
        <div class="film-facts">
          <h1 tabIndex={-1}>{title}</h1>
          {originalTitle !== null && originalTitle !== title && <p class="soft">{originalTitle}</p>}
          <Facts movie={movie} />
          {tagline !== null && <p class="tagline">{tagline}</p>}
          <FilmActions movie={movie} />
          {overview !== null && <p class="overview">{overview}</p>}
          <Details movie={movie} />
        </div>
      </div>
      <Credits id={movie.id} />
      <Files movie={movie} />
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
        sizes="100vw"
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
    ...(year === null ? [] : [String(year)]),
    ...(seconds === null ? [] : [duration(seconds)]),
    ...(contentRating === null ? [] : [contentRating]),
    ...(rating === null ? [] : [say('film.rating', { rating })]),
    ...(resolution === null ? [] : [resolution]),
    ...(hdr === null ? [] : [hdr.toUpperCase()]),
  ]
  return (
    <>
      <ul class="facts">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      {availability === 'missing' && <p class="warning">{say('film.missing')}</p>}
    </>
  )
}

function Details({ movie }: { readonly movie: Movie }) {
  const { genres, audioLanguages, subtitleLanguages, collection, collectionId, studios, countries } = movie
  const rows = [
    { name: say('film.audio'), text: list(audioLanguages.map(languageName)) },
    { name: say('film.subtitles'), text: list(subtitleLanguages.map(languageName)) },
    { name: say('film.studios'), text: list(studios) },
    { name: say('film.countries'), text: list(countries) },
  ].filter(({ text }) => text !== '')
  return (
    <>
      {genres.length > 0 && (
        <ul class="chips" aria-label={say('film.genres')}>
          {genres.map((genre) => (
            <li key={genre}>
              <Link class="chip" to={`/films?genre=${encodeURIComponent(genre)}`}>
                {genre}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <dl class="details">
        {collection !== null && (
          <div>
            <dt>{say('page.collection')}</dt>
            <dd>
              <Link to={`/collections/${collectionId}`}>{collection}</Link>
            </dd>
          </div>
        )}
        {rows.map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Credits({ id }: { readonly id: string }) {
  const { data } = useQuery(creditsQuery(id))
  return data && data.cast.length + data.crew.length > 0 ? <FilmCredits credits={data} /> : null
}

function Files({ movie }: { readonly movie: Movie }) {
  const { data } = useQuery(fileStatsQuery(movie.id))
  return data ? <FilmFiles stats={data} movieId={movie.id} /> : null
}
