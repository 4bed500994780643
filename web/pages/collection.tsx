/** The films of a collection, in their order, or as they were at an earlier time. */
import { useQuery } from '@tanstack/preact-query'
import { Circle, CircleCheck, FolderX } from 'lucide'
import { useMemo } from 'preact/hooks'
import { useSearch } from 'wouter-preact'
import { asOfIn } from '../data/as-of.ts'
import { setAllWatched } from '../data/bulk-marks.ts'
import type { Marked } from '../data/marks.ts'
import { collectionQuery, type ListQuery } from '../data/queries.ts'
import type { PageProps } from '../pages.ts'
import { Card } from '../parts/card.tsx'
import { Cards } from '../parts/cards.tsx'
import { MovieGrid } from '../parts/movie-grid.tsx'
import { Icon } from '../parts/icon.tsx'
import { tell } from '../parts/mark-notes.ts'
import { Empty, Failed, Waiting } from '../parts/states.tsx'
import { PastBand, TravelDate } from '../parts/time-travel.tsx'
import { Title } from '../parts/title.tsx'
import { say } from '../words/words.ts'

export function Page({ params: { id = '' } }: PageProps) {
  const { data, error, refetch } = useQuery(collectionQuery(id))
  const search = useSearch()
  const asOf = asOfIn(search)
  const path = `/collections/${id}`
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} isPage /> : <Waiting />
  return (
    <>
      <PastBand search={search} path={path} />
      <div class="list-head">
        <Title named={data.name} />
        <div class="actions">
          {asOf === undefined && <MarkAll movies={data.movies} />}
          <TravelDate search={search} path={path} />
        </div>
      </div>
      {asOf === undefined ? (
        <>
          <p class="soft count">{say('movies.count', { count: data.movieCount })}</p>
          <Cards>
            {data.movies.map((movie, index) => (
              <Card key={movie.id} movie={movie} place="collection" isFirst={index < 12} />
            ))}
          </Cards>
        </>
      ) : (
        <Then id={id} asOf={asOf} />
      )}
    </>
  )
}

/** All of them watched, or none if all are. */
function toggleAllWatched(movies: readonly Marked[]): void {
  const watched = movies.some((movie) => !movie.watched)
  const changed = movies.filter((movie) => movie.watched !== watched)
  tell(setAllWatched(changed, watched), say(watched ? 'mark.all-watched.done' : 'mark.all-unwatched.done', { count: changed.length }))
}

function MarkAll({ movies }: { readonly movies: readonly Marked[] }) {
  const isWatched = movies.every(({ watched }) => watched)
  return (
    <button type="button" data-focus="mark-all" onClick={() => toggleAllWatched(movies)}>
      <Icon of={isWatched ? CircleCheck : Circle} />
      {say(isWatched ? 'movies.unmark-all' : 'movies.mark-all')}
    </button>
  )
}

function Then({ id, asOf }: { readonly id: string; readonly asOf: string }) {
  const query = useMemo((): ListQuery => ({ collectionId: [id], asOf, sort: 'year', order: 'asc' }), [id, asOf])
  return <MovieGrid query={query} nothing={<Empty title={say('past.no-movies')} icon={FolderX} />} />
}
