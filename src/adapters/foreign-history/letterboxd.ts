/** Reads Letterboxd's export of one person: `diary.csv` has a line for each viewing, `watched.csv` one for each film. */
import { ForeignHistoryUnreadable, type ForeignHistory, type ForeignWatch } from '../../ports/foreign-history.ts'
import { readCsv } from './csv.ts'
import { movieFrom, timeFrom, usersOf } from './values.ts'

export function readLetterboxd(text: string): ForeignHistory {
  const rows = readCsv(text)
  const [first] = rows
  if (first && !['Date', 'Name', 'Year'].every((column) => first.has(column))) {
    throw new ForeignHistoryUnreadable('The file is not an export of Letterboxd. Give diary.csv, or watched.csv.')
  }
  let undated = 0
  const watches = rows.flatMap((row): readonly ForeignWatch[] => {
    const movie = movieFrom({ title: row.get('Name'), year: row.get('Year') })
    if (!movie) return []
    const watchedAt = timeFrom(row.get('Watched Date') || row.get('Date'))
    if (watchedAt === null) {
      undated += 1
      return []
    }
    return [{ user: 'letterboxd', ...movie, watchedAt, plays: 1, watchedMs: 0, positionMs: null }]
  })
  return { description: 'Letterboxd export', users: usersOf(watches, () => 'Letterboxd'), watches, undated }
}
