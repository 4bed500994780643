/** Reads Kodi's history of one person from `MyVideos<n>.db`: how often each file was played, when last, and its resume position. */
import { ForeignHistoryUnreadable, type ForeignHistory, type ForeignWatch } from '../../ports/foreign-history.ts'
import { readForeignDatabase } from '../sqlite/foreign-database.ts'
import { countFrom, movieFrom, timeFrom, usersOf, watchesOf } from './values.ts'

/** The type of the bookmark at which a film resumes. */
const RESUME = 1

/** Since Kodi 22 (in development) a bookmark belongs to a version of the film, no longer to its file. */
const OF_VERSION = `or idVersion in (select idVersion from videoversion where videoversion.idFile = f.idFile)`
const HAS_VERSIONS = `select 1 from pragma_table_info('bookmark') where name = 'idVersion'`

const rowsOf = (ofVersion: string): string => `
  select m.c00 as title, m.premiered as year, f.playCount as plays, f.lastPlayed as lastAt,
    (select value from uniqueid where media_id = m.idMovie and media_type = 'movie' and type = 'imdb' limit 1) as imdb,
    (select value from uniqueid where media_id = m.idMovie and media_type = 'movie' and type = 'tmdb' limit 1) as tmdb,
    (select timeInSeconds from bookmark where (bookmark.idFile = f.idFile ${ofVersion}) and type = ${RESUME} limit 1) as seconds
  from movie m join files f on f.idFile = m.idFile order by m.idMovie`

export function readKodi(file: string): ForeignHistory {
  return readForeignDatabase(file, (database) => {
    if (!database.hasTables('movie', 'files', 'bookmark', 'uniqueid')) {
      throw new ForeignHistoryUnreadable(`${file} is not Kodi's video database. Give MyVideos<n>.db of Kodi 17 or later.`)
    }
    let undated = 0
    const hasVersions = database.hasTables('videoversion') && database.rows(HAS_VERSIONS).length > 0
    const watches = database.rows(rowsOf(hasVersions ? OF_VERSION : '')).flatMap((row): readonly ForeignWatch[] => {
      const movie = movieFrom({ title: row['title'], year: row['year'], imdb: row['imdb'], tmdb: row['tmdb'] })
      const plays = countFrom(row['plays'])
      const positionMs = Math.round(Number(row['seconds'] ?? 0) * 1000)
      if (!movie || (plays === 0 && positionMs <= 0)) return []
      // Kodi writes times in its machine's zone.
      const lastAt = timeFrom(row['lastAt'], { local: true })
      if (lastAt === null) {
        undated += 1
        return []
      }
      return watchesOf({ user: 'kodi', movie, lastAt, isWatched: plays > 0, plays: plays + (positionMs > 0 ? 1 : 0), positionMs })
    })
    return { description: 'Kodi video database', users: usersOf(watches, () => 'Kodi'), watches, undated }
  })
}
