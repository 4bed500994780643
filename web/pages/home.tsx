/** Home: films to continue, new ones, the watchlist, and the libraries. One request. */
import { useQuery } from '@tanstack/preact-query'
import { Folder } from 'lucide'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { homeQuery, type Home } from '../data/queries.ts'
import { who } from '../data/who.ts'
import { markTitles } from '../parts/titles-mark.ts'
import { Link } from '../parts/link.tsx'
import { Card } from '../parts/card.tsx'
import { Icon } from '../parts/icon.tsx'
import { NoMovies } from '../parts/no-movies.tsx'
import { Shelf } from '../parts/shelf.tsx'
import { Failed, Waiting } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { remembered } from '../router.ts'
import { duration } from '../words/format.ts'
import { say } from '../words/words.ts'

export function Page() {
  const { data, error, refetch } = useQuery(homeQuery)
  useEffect(() => {
    // The answer says who is here: no request of its own is needed.
    if (data && who.peek() === 'somebody') who.value = data.user
  }, [data])
  return (
    <>
      <Title class="hidden">{say('page.home')}</Title>
      {data ? <Shelves home={data} /> : error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Waiting />}
    </>
  )
}

/** As many as the server gives. */
const MOST = 12
const LEAST_CARD_PX = 112
/** As many as a row shows at first. Asked for here, since while a page is drawn it would force a layout. */
const IN_VIEW = Math.ceil(innerWidth / LEAST_CARD_PX)

/** Whether what is out of sight is drawn, too: at once if the page was here before, since its scroll position comes back. */
function useAfterFirstFrame(): boolean {
  const [isAfter, setAfter] = useState(() => remembered('scroll') !== undefined)
  useEffect(() => setAfter(true), [])
  return isAfter
}

function Shelves({ home }: { readonly home: Home }) {
  const { continueWatching, recentlyAdded, watchlist, libraries } = home
  const isWhole = useAfterFirstFrame()
  const first = isWhole ? MOST : IN_VIEW
  useLayoutEffect(markTitles, [])
  if (recentlyAdded.length === 0 && continueWatching.length === 0) return <NoMovies />
  return (
    <>
      {continueWatching.length > 0 && (
        <Shelf title={say('home.continue')} to="/films?inProgress=true" isWide>
          {continueWatching.slice(0, first).map(({ movie, position, duration: length }, index) => (
            <Card
              key={movie.id}
              movie={movie}
              place="continue"
              plays
              canDismiss
              isFirst={index < 6}
              note={length === null ? '' : say('home.left', { time: duration(length - position) })}
            />
          ))}
        </Shelf>
      )}
      <Shelf title={say('home.recent')} to="/films?sort=addedAt">
        {recentlyAdded.slice(0, first).map((movie, index) => (
          <Card key={movie.id} movie={movie} place="recent" isFirst={index < 6} />
        ))}
      </Shelf>
      {isWhole && watchlist.length > 0 && (
        <Shelf title={say('page.watchlist')} to="/watchlist">
          {watchlist.map((movie) => (
            <Card key={movie.id} movie={movie} place="watchlist" />
          ))}
        </Shelf>
      )}
      {isWhole && libraries.length > 1 && <Libraries libraries={libraries} />}
    </>
  )
}

function Libraries({ libraries }: Pick<Home, 'libraries'>) {
  return (
    <section class="shelf" aria-labelledby="home-libraries">
      <h2 id="home-libraries">{say('home.libraries')}</h2>
      <ul class="tiles">
        {libraries.map(({ id, name, movieCount }) => (
          <li key={id}>
            <Link class="tile" to={`/films?libraryId=${id}`}>
              <Icon of={Folder} />
              <span>
                <strong>{name}</strong>
                <span class="soft">{say('movies.count', { count: movieCount })}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
