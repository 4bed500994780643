/** The films that the person keeps for later. */
import { Bookmark } from 'lucide'
import { FilmGrid } from '../parts/film-grid.tsx'
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
      <FilmGrid query={QUERY} nothing={<NothingYet />} />
    </>
  )
}

function NothingYet() {
  return (
    <Empty title={say('watchlist.none')} icon={Bookmark}>
      <p>{say('watchlist.none.hint')}</p>
      <Link to="/films" class="button">
        {say('app.see-films')}
      </Link>
    </Empty>
  )
}
