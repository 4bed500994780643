/** Reads Trakt's JSON of one person: `history` has a line for each viewing, `watched` one for each film. */
import { ForeignHistoryUnreadable, type ForeignHistory, type ForeignWatch } from '../../ports/foreign-history.ts'
import { countFrom, movieFrom, timeFrom, usersOf, type ForeignMovie } from './values.ts'

interface Entry {
  readonly type?: string
  readonly watched_at?: string
  readonly last_watched_at?: string
  readonly plays?: number
  readonly movie?: { readonly title?: string; readonly year?: number; readonly ids?: { readonly imdb?: string; readonly tmdb?: number } }
}

export function readTrakt(json: unknown): ForeignHistory {
  const entries = Array.isArray(json) ? json : (Object(json) as { readonly movies?: unknown }).movies
  if (!Array.isArray(entries) || !entries.every(isEntry))
    throw new ForeignHistoryUnreadable('The file is not an export of Trakt: a JSON list of viewings was expected.')
  let undated = 0
  const watches = entries.flatMap((one): readonly ForeignWatch[] => {
    const movie = movieOf(one)
    if (!movie) return []
    const watchedAt = timeFrom(one.watched_at ?? one.last_watched_at)
    if (watchedAt === null) {
      undated += 1
      return []
    }
    const counted = one.plays === undefined ? { plays: 1 } : { plays: Math.max(1, countFrom(one.plays)), tally: true as const }
    return [{ user: 'trakt', ...movie, watchedAt, ...counted, watchedMs: 0, positionMs: null }]
  })
  return { description: 'Trakt export', users: usersOf(watches, () => 'Trakt'), watches, undated }
}

/** Of a film, or of a show or an episode, which are not imported. */
const isEntry = (value: unknown): value is Entry => ['movie', 'show', 'episode'].some((kind) => kind in Object(value))

function movieOf({ type = 'movie', movie }: Entry): ForeignMovie | undefined {
  if (type !== 'movie' || movie === undefined) return undefined
  const { title, year, ids = {} } = movie
  return movieFrom({ title, year, imdb: ids.imdb, tmdb: ids.tmdb })
}
