/** Reads Letterboxd's export of one person: `diary.csv` has a line for each viewing, `watched.csv` one for each film. */
import { ForeignHistoryUnreadable, type ForeignHistory, type ForeignWatch } from '../../ports/foreign-history.ts'
import { readCsv } from './csv.ts'
import { movieFrom, timeFrom, usersOf } from './values.ts'

export function readLetterboxd(text: string): ForeignHistory {
  const { columns, rows, isCutOff } = readCsv(text)
  if (!['Date', 'Name', 'Year'].every((column) => columns.includes(column))) {
    throw new ForeignHistoryUnreadable('The file is not an export of Letterboxd. Give diary.csv, or watched.csv.')
  }
  if (isCutOff) throw new ForeignHistoryUnreadable('The file is cut off: its last line is incomplete. Export it from Letterboxd again.')
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
