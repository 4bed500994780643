/** What an event of the server means for the answers that are kept. Pure. */
import type { LiveData } from './live.ts'
import type { Marks } from './patches.ts'

/** Beginnings of keys in the cache. */
export type Keys = readonly (readonly string[])[]

export interface Stale {
  /** Answers to ask for again if they are shown; `*`: all. */
  readonly keys: Keys | '*'
  /** Answers whose order or length may have changed with the marks of the person. */
  readonly byMarks?: boolean
  /** A film that is to be asked for by itself, if a card of it is shown: the lists stay as they are, but for where their pages begin. */
  readonly movie?: string
}

/** Answers that hold cards of films. */
export const CARDS: Keys = [['home'], ['movies'], ['collection'], ['person'], ['search']]
const NONE: Stale = { keys: [] }

const detailsOf = (movieId: string): Keys => [
  ['movie', movieId],
  ['credits', movieId],
  ['file-stats', movieId],
]

/** What an event makes old. `isOtherViewer`: it is of another viewer's session. Administrators get those events, too. */
export function staleBy(kind: string, { movieId = '', libraryId, scan }: LiveData, isOtherViewer = false): Stale {
  if (kind === 'reset' || kind === 'access.changed') return { keys: '*' }
  if (kind.startsWith('library.')) return staleByLibrary(kind, libraryId ?? '')
  if (kind === 'movie.watched' || kind === 'movie.unwatched') return { keys: [['collections'], ['history'], ['stats']], byMarks: true }
  if (kind === 'movie.updated') return { keys: [['facets'], ['collections'], ...detailsOf(movieId)], movie: movieId }
  if (kind.startsWith('movie.')) return { keys: [['facets'], ['collections'], ...detailsOf(movieId), ...CARDS] }
  if (kind.startsWith('scan.')) return staleByScan(kind, scan?.libraryId ?? '')
  if (kind.startsWith('user.'))
    return kind === 'user.deleted' ? { keys: [['users'], ['user']] } : { keys: [['users'], ['user'], ['logins-of']] }
  if (kind === 'playback.ended') return isOtherViewer ? { keys: [['sessions']] } : afterPlayback(movieId)
  return OTHERS[kind] ?? NONE
}

/** The film may now go on elsewhere; only its end event says that it was played. */
const afterPlayback = (movieId: string): Stale => ({
  keys: [['sessions'], ['home'], ['history'], ['stats'], ['movie', movieId]],
  byMarks: true,
  movie: movieId,
})

/** A page of what is deleted asks for it, so that it says that it is gone; the film that is shown may be of the library. */
function staleByLibrary(kind: string, libraryId: string): Stale {
  const lists: Keys = [['library', libraryId], ['libraries'], ['facets'], ['collections'], ...CARDS]
  return { keys: kind === 'library.deleted' ? [...lists, ['movie']] : lists }
}

/** Events hold the scan itself: only its end changes anything else. */
function staleByScan(kind: string, libraryId: string): Stale {
  if (kind === 'scan.progress') return NONE
  const scans: Keys = [
    ['scan', libraryId],
    ['scans', libraryId],
  ]
  if (kind === 'scan.started') return { keys: scans }
  return { keys: [...scans, ['libraries'], ['library', libraryId], ...(kind === 'scan.completed' ? [['facets']] : [])] }
}

const OTHERS: Readonly<Record<string, Stale>> = {
  'resume.changed': { keys: [['home']], byMarks: true },
  'watchlist.changed': { keys: [['home']], byMarks: true },
  'preferences.changed': { keys: [['preferences']] },
  'playback.started': { keys: [['sessions']] },
  'analytics.changed': { keys: [['history'], ['stats']] },
  'projection.rebuilt': { keys: [['projections']] },
}

/** The marks that an event carries; undefined if it carries none. */
export function marksIn(kind: string, { watchedAt = null, position = 0, watchlist }: LiveData): Marks | undefined {
  if (kind === 'movie.watched') return { watched: true, watchedAt, position: 0 }
  if (kind === 'movie.unwatched') return { watched: false, watchedAt: null }
  if (kind === 'watchlist.changed') return watchlist === undefined ? undefined : { watchlist }
  return kind === 'resume.changed' && position !== null ? { position } : undefined
}

/** Whether the movie leaves the row to continue watching: it is over, was taken out, or would begin anew. */
export const leavesRow = (kind: string, { position }: LiveData): boolean =>
  kind === 'movie.watched' || (kind === 'resume.changed' && !position)
