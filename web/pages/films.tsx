/** All films: filters and sort stand in the address, twenty thousand films scroll like twenty. */
import { useSearch } from 'wouter-preact'
import { useMemo } from 'preact/hooks'
import { listQueryIn } from '../data/list-query.ts'
import { FilmFilters } from '../parts/film-filters.tsx'
import { FilmGrid } from '../parts/film-grid.tsx'
import { say } from '../words/words.ts'

export function Page() {
  const search = useSearch()
  const query = useMemo(() => listQueryIn(search), [search])
  return (
    <>
      <div class="list-head">
        <h1 tabIndex={-1}>{say('page.films')}</h1>
        <FilmFilters search={search} />
      </div>
      <FilmGrid query={query} />
    </>
  )
}
