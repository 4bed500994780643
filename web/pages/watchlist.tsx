/** The films that the person keeps for later. */
import { FilmGrid } from '../parts/film-grid.tsx'
import { say } from '../words/words.ts'

const QUERY = { watchlist: true } as const

export function Page() {
  return (
    <>
      <div class="list-head">
        <h1 tabIndex={-1}>{say('page.watchlist')}</h1>
      </div>
      <FilmGrid query={QUERY} nothing={{ title: say('watchlist.none'), hint: say('watchlist.none.hint') }} />
    </>
  )
}
