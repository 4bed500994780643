/** Shows marks at once in every answer that is kept, without a request. */
import { isOfPast } from './as-of.ts'
import { dependsOnMarks } from './marked-lists.ts'
import { createOwnMarks } from './own-marks.ts'
import { patchMovie, withoutMovie, type Marks } from './patches.ts'
import type { Home } from './queries.ts'
import { changeKept, isOf, queryClient } from './query-client.ts'

/** Changes the marks of a movie in every answer that is kept. */
export function showMarks(movieId: string, marks: Marks): void {
  changeKept(
    (data) => patchMovie(data, movieId, marks),
    ({ queryKey }) => !isOfPast(queryKey),
  )
  if (marks.watchlist === false) leaveWatchlist(movieId)
}

/** Of the marks that this tab makes itself. */
export const ownMarks = createOwnMarks({
  after: (ms, run) => void setTimeout(run, ms),
  show(movieId, marks) {
    showMarks(movieId, marks)
    if (marks.watched === true) leaveContinueWatching(movieId)
  },
})

type Row = Home['continueWatching']

const changeHome = (change: (home: Home) => Home): void => changeKept((data) => (data ? change(data as Home) : data), isOf(['home']))

/** Changes the row to continue watching. */
export const changeRow = (change: (row: Row) => readonly Row[number][]): void =>
  changeHome((home) => {
    const row = change(home.continueWatching)
    return row === home.continueWatching ? home : { ...home, continueWatching: [...row] }
  })

/** One that comes onto it is known only by its answer; one that leaves it leaves at once. */
function leaveWatchlist(movieId: string): void {
  changeHome((home) =>
    home.watchlist.some(({ id }) => id === movieId) ? { ...home, watchlist: home.watchlist.filter(({ id }) => id !== movieId) } : home,
  )
}

/** Takes a movie out of the row to continue watching. */
export function leaveContinueWatching(movieId: string): void {
  changeRow((row) => withoutMovie(row, movieId))
}

/** Lists that marks lengthen, shorten or put in another order. The row to continue watching is the caller's. */
export const refreshMarked = (): Promise<void> => queryClient.invalidateQueries({ predicate: ({ queryKey }) => dependsOnMarks(queryKey) })
