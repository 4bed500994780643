/**
 * Reads Plex's history from `com.plexapp.plugins.library.db`: a row for each known viewing, and for each account and film the play count
 * and the resume position. Its schema is not published; these are the tables found in its databases.
 */
import { ForeignHistoryUnreadable, type ForeignHistory, type ForeignWatch } from '../../ports/foreign-history.ts'
import { readForeignDatabase, type ForeignRow } from '../sqlite/foreign-database.ts'
import { countFrom, movieFrom, textFrom, timeFrom, usersOf, type ForeignMovie } from './values.ts'

/** A movie; a deleted film has no row any more, but its viewings remain. */
const MOVIE = 1

const VIEWS = `
  select v.account_id as user, v.guid as guid, v.title as title, v.originally_available_at as year, v.viewed_at as viewedAt
  from metadata_item_views v where v.metadata_type = ${MOVIE} order by v.viewed_at`

const TALLIES = `
  select s.account_id as user, s.guid as guid, s.view_count as plays, s.view_offset as positionMs, s.last_viewed_at as lastAt
  from metadata_item_settings s join metadata_items m on m.guid = s.guid
  where m.metadata_type = ${MOVIE} and (s.view_count > 0 or s.view_offset > 0) group by s.account_id, s.guid`

const FILMS = `
  select m.guid as guid, m.title as title, m.year as year,
    (select t.tag from taggings g join tags t on t.id = g.tag_id
      where g.metadata_item_id = m.id and t.tag like 'imdb://%' limit 1) as imdb,
    (select t.tag from taggings g join tags t on t.id = g.tag_id
      where g.metadata_item_id = m.id and t.tag like 'tmdb://%' limit 1) as tmdb
  from metadata_items m where m.metadata_type = ${MOVIE}`

export function readPlex(file: string): ForeignHistory {
  return readForeignDatabase(file, (database) => {
    if (!database.hasTables('accounts', 'metadata_items', 'metadata_item_settings', 'metadata_item_views', 'tags', 'taggings')) {
      throw new ForeignHistoryUnreadable(`${file} is not Plex's library. Give com.plexapp.plugins.library.db.`)
    }
    const movies = new Map(database.rows(FILMS).map((row) => [textFrom(row['guid']), movieOf(row)]))
    const accounts = database.rows('select id, name from accounts')
    const names = new Map(accounts.map(({ id, name }) => [textFrom(id), textFrom(name)]))
    const views = database.rows(VIEWS)
    const { watches, undated } = historyOf(views, database.rows(TALLIES), (row) => movies.get(textFrom(row['guid'])) ?? movieOf(row))
    return { description: 'Plex library', users: usersOf(watches, (id) => names.get(id) || `Account ${id}`), watches, undated }
  })
}

/** The guid of older agents names the film: `com.plexapp.agents.imdb://tt0088846?lang=en`, `…themoviedb://68?lang=en`. */
function movieOf(row: ForeignRow): ForeignMovie | undefined {
  const guid = textFrom(row['guid'])
  const tmdb = textFrom(row['tmdb']) || (/^com\.plexapp\.agents\.themoviedb:\/\/(\d+)/.exec(guid)?.[1] ?? '')
  return movieFrom({ title: row['title'], year: row['year'], imdb: textFrom(row['imdb']) || guid, tmdb })
}

type MovieOf = (row: ForeignRow) => ForeignMovie | undefined

function historyOf(
  views: readonly ForeignRow[],
  tallies: readonly ForeignRow[],
  movieOfRow: MovieOf,
): Pick<ForeignHistory, 'watches' | 'undated'> {
  let undated = 0
  const viewed = new Map<string, Set<string>>()
  const watches: ForeignWatch[] = []
  for (const row of views) {
    const movie = movieOfRow(row)
    const watchedAt = timeFrom(row['viewedAt'])
    if (!movie) continue
    if (watchedAt === null) {
      undated += 1
      continue
    }
    const times = viewed.get(keyOf(row)) ?? new Set()
    viewed.set(keyOf(row), times.add(watchedAt))
    watches.push({ user: textFrom(row['user']), ...movie, watchedAt, plays: 1, watchedMs: 0, positionMs: null })
  }
  for (const row of tallies) {
    const movie = movieOfRow(row)
    const lastAt = timeFrom(row['lastAt'])
    const times = viewed.get(keyOf(row)) ?? new Set()
    // Films marked by hand have no viewings, nor have those watched before Plex recorded viewings.
    const plays = countFrom(row['plays'])
    const isMissing = plays > times.size
    const positionMs = countFrom(row['positionMs'])
    if (!movie || (!isMissing && positionMs === 0)) continue
    if (lastAt === null) {
      undated += 1
      continue
    }
    const base = { user: textFrom(row['user']), ...movie, watchedMs: 0 }
    let free = Date.parse(lastAt)
    const takeTime = (): string => {
      while (times.has(new Date(free).toISOString())) free -= 1
      const time = new Date(free).toISOString()
      times.add(time)
      return time
    }
    if (positionMs > 0) watches.push({ ...base, watchedAt: takeTime(), plays: 0, positionMs })
    if (isMissing) watches.push({ ...base, watchedAt: takeTime(), plays, tally: true, positionMs: null })
  }
  return { watches, undated }
}

const keyOf = ({ user, guid }: ForeignRow): string => `${textFrom(user)} ${textFrom(guid)}`
