/** All films: filters and sort stand in the address, twenty thousand films scroll like twenty. */
import { useSearch } from 'wouter-preact'
import { useMemo } from 'preact/hooks'
import { listQueryIn } from '../data/list-query.ts'
import { MovieFilters, NoneMatches } from '../parts/movie-filters.tsx'
import { MovieGrid } from '../parts/movie-grid.tsx'
import { PastBand } from '../parts/time-travel.tsx'
import { Title } from '../parts/title.tsx'
import { say } from '../words/words.ts'

export function Page() {
  const search = useSearch()
  const query = useMemo(() => listQueryIn(search), [search])
  return (
    <>
      <PastBand search={search} path="/films" />
      <div class="list-head">
        <Title>{say('page.movies')}</Title>
        <MovieFilters search={search} />
      </div>
      <MovieGrid query={query} nothing={<NoneMatches search={search} />} />
    </>
  )
}
