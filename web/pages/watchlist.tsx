/** The films that the person keeps for later. */
import { Bookmark } from 'lucide'
import { MovieGrid } from '../parts/movie-grid.tsx'
import { Link } from '../parts/link.tsx'
import { Empty } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { say } from '../words/words.ts'

const QUERY = { watchlist: true } as const

export function Page() {
  return (
    <>
      <div class="list-head">
        <Title>{say('page.watchlist')}</Title>
      </div>
      <MovieGrid query={QUERY} nothing={<NothingYet />} />
    </>
  )
}

function NothingYet() {
  return (
    <Empty title={say('watchlist.none')} icon={Bookmark}>
      <p>{say('watchlist.none.hint')}</p>
      <Link to="/films" class="button">
        {say('app.see-movies')}
      </Link>
    </Empty>
  )
}
