/** Shown if there are no films at all: says why, and what to do. It queries the libraries, which live events keep up to date. */
import { useQuery } from '@tanstack/preact-query'
import { Clapperboard, FolderX, ScanSearch } from 'lucide'
import { whyNoMovies } from '../data/no-movies.ts'
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
  switch (why.type) {
    case 'scanning':
      return (
        <Empty title={say('home.empty.scanning')} icon={ScanSearch}>
          <p>{say('home.empty.scanning.hint')}</p>
        </Empty>
      )
    case 'missing':
      return (
        <Empty title={say('home.empty.missing', { count: why.count })} icon={FolderX}>
          <p>{say('home.empty.missing.hint')}</p>
          <LibrariesLink />
        </Empty>
      )
    case 'not-found':
      return (
        <Empty title={say('home.empty.not-found')} icon={Clapperboard}>
          <p>{say(isAdmin() ? 'home.empty.not-found.admin' : 'home.empty.not-found.user')}</p>
          <LibrariesLink />
        </Empty>
      )
    case 'nothing-shared':
  }
  return (
    <Empty title={say('home.empty')} icon={Clapperboard}>
      <p>{say(isAdmin() ? 'home.empty.admin' : 'home.empty.user')}</p>
      {isAdmin() && (
        <Link to="/admin/libraries" class="button primary">
          {say('libraries.add')}
        </Link>
      )}
    </Empty>
  )
}

function LibrariesLink() {
  if (!isAdmin()) return null
  return (
    <Link to="/admin/libraries" class="button">
      {say('page.libraries')}
    </Link>
  )
}
