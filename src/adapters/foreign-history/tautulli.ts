/** Reads Tautulli's history from `tautulli.db`: a row for each session on a Plex server; sessions of one viewing share their reference. */
import { ForeignHistoryUnreadable, type ForeignHistory, type ForeignWatch } from '../../ports/foreign-history.ts'
import { readForeignDatabase } from '../sqlite/foreign-database.ts'
import { countFrom, movieFrom, textFrom, timeFrom, usersOf } from './values.ts'

/** The share of a film from which Tautulli counts it as watched, by default. */
const WATCHED_SHARE = 0.85

/** The position is that of the row with the last end (bare columns beside `max`: sqlite.org/lang_select.html). */
const ROWS = `
  select h.user_id as user, m.title as title, m.year as year, m.guid as guid, m.duration as durationMs, h.view_offset as positionMs,
    max(h.stopped) as stopped, sum(max(0, h.stopped - h.started - coalesce(h.paused_counter, 0))) as seconds
  from session_history h join session_history_metadata m on m.id = h.id
  where h.media_type = 'movie' and h.stopped > 0
  group by h.user_id, coalesce(nullif(h.reference_id, 0), h.id) order by stopped`

export function readTautulli(file: string): ForeignHistory {
  return readForeignDatabase(file, (database) => {
    if (!database.hasTables('session_history', 'session_history_metadata', 'users')) {
      throw new ForeignHistoryUnreadable(`${file} is not Tautulli's database. Give tautulli.db.`)
    }
    const users = database.rows(`select user_id as id, coalesce(nullif(friendly_name, ''), username) as name from users`)
    const names = new Map(users.map(({ id, name }) => [textFrom(id), textFrom(name)]))
    let undated = 0
    const watches = database.rows(ROWS).flatMap((row): readonly ForeignWatch[] => {
      const guid = textFrom(row['guid'])
      const tmdb = /^com\.plexapp\.agents\.themoviedb:\/\/(\d+)/.exec(guid)?.[1]
      const movie = movieFrom({ title: row['title'], year: row['year'], imdb: guid, tmdb })
      const watchedAt = timeFrom(row['stopped'])
      if (!movie) return []
      if (watchedAt === null) {
        undated += 1
        return []
      }
      const positionMs = countFrom(row['positionMs'])
      const isWatched = positionMs >= countFrom(row['durationMs']) * WATCHED_SHARE
      const base = { user: textFrom(row['user']), ...movie, watchedAt, watchedMs: countFrom(row['seconds']) * 1000 }
      return [isWatched ? { ...base, plays: 1, positionMs: null } : { ...base, plays: 0, positionMs }]
    })
    return { description: 'Tautulli database', users: usersOf(watches, (id) => names.get(id) || `User ${id}`), watches, undated }
  })
}
