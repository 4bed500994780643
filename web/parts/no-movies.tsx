/** Shown if there are no films at all: says why, and what to do. It queries the libraries, which live events keep up to date. */
import { useQuery } from '@tanstack/preact-query'
import { Clapperboard, FolderX, ScanSearch } from 'lucide'
import { whyNoMovies, type WhyNoMovies } from '../data/no-movies.ts'
import { homeQuery, librariesQuery, type Home } from '../data/queries.ts'
import { queryClient } from '../data/query-client.ts'
import { isAdmin } from '../data/who.ts'
import { say } from '../words/words.ts'
import { Link } from './link.tsx'
import { Empty, Failed, Waiting } from './states.tsx'

/** The home page has fetched them, if the person comes from there. */
export const librariesOfHome = () => {
  const home = queryClient.getQueryData<Home>(homeQuery.queryKey)
  return home && { items: home.libraries, nextCursor: null }
}

export function NoMovies() {
  const { data, error, refetch } = useQuery({ ...librariesQuery, placeholderData: librariesOfHome })
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Waiting />
  const why = whyNoMovies(data.items)
  const { title, hint, icon } = wordsOf(why)
  const isFirst = why.type === 'nothing-shared'
  return (
    <Empty title={title} icon={icon}>
      <p>{hint}</p>
      {isAdmin() && why.type !== 'scanning' && (
        <Link to="/admin/libraries" class={isFirst ? 'button primary' : 'button'}>
          {say(isFirst ? 'libraries.add' : 'page.libraries')}
        </Link>
      )}
    </Empty>
  )
}

function wordsOf(why: WhyNoMovies) {
  switch (why.type) {
    case 'scanning':
      return { title: say('home.empty.scanning'), hint: say('home.empty.scanning.hint'), icon: ScanSearch }
    case 'missing':
      return { title: say('home.empty.missing', { count: why.count }), hint: say('home.empty.missing.hint'), icon: FolderX }
    case 'not-found':
      return {
        title: say('home.empty.not-found'),
        hint: say(isAdmin() ? 'home.empty.not-found.admin' : 'home.empty.not-found.user'),
        icon: Clapperboard,
      }
    case 'nothing-shared':
  }
  return { title: say('home.empty'), hint: say(isAdmin() ? 'home.empty.admin' : 'home.empty.user'), icon: Clapperboard }
}
