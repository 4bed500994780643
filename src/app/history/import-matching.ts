/**
 * Finds the movies of imported items: by provider ids first, else by title and year. Only movies that the user may see count. If a film is
 * in several libraries, an available one is preferred, then the one that was added first.
 */
import { setImmediate } from 'node:timers/promises'
import type { ImportItem, NoMatch } from '../../events/history-events.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import { externalKeysOf, titleKeysOf } from '../../../projections/views/movie-query-fields.ts'
import { itemKeysOf } from '../../../projections/views/waiting-items.ts'
import { sees, type Viewer } from '../../domain/access/visibility.ts'
import type { Access } from '../access/access.ts'
import type { ReadModels } from '../read-models/read-models.ts'

export interface MatchingDependencies {
  readonly access: Pick<Access, 'libraries'>
  readonly readModels: Pick<ReadModels, 'movies'>
}

type Named = Pick<ImportItem, 'tmdb' | 'imdb' | 'title' | 'year'>

/** The dates of one film may be a year apart: its first showing at a festival, or in another country. */
const YEARS_APART = 1
/** Different films that one query searches for. */
const FILMS_AT_ONCE = 50
/** Most movies that it returns; a film that has more by itself is compared with the first of them. */
const MOVIES_MAX = 200

/** The movie of each item, in their order. */
export async function moviesOf(
  deps: MatchingDependencies,
  viewer: Viewer,
  items: readonly Named[],
): Promise<readonly (MovieDocument | NoMatch)[]> {
  const films = [...new Map(items.map((item) => [filmOf(item), item])).values()]
  const found = new Map<string, MovieDocument | NoMatch>()
  for (let n = 0; n < films.length; n += FILMS_AT_ONCE) {
    for (const [film, movie] of await search(deps, viewer, films.slice(n, n + FILMS_AT_ONCE))) found.set(film, movie)
  }
  return items.map((item) => found.get(filmOf(item)) ?? 'not_found')
}

/** The same text for items that name their film alike. */
const filmOf = ({ tmdb, imdb, title, year }: Named): string => JSON.stringify([tmdb, imdb, title, year])

type Found = readonly (readonly [film: string, movie: MovieDocument | NoMatch])[]

async function search(deps: MatchingDependencies, viewer: Viewer, films: readonly Named[]): Promise<Found> {
  // The embedded store answers at once: other requests get their turn in between.
  await setImmediate()
  const keys = new Set(films.flatMap(itemKeysOf))
  const where = [{ field: 'factKeys', op: 'has', values: [...keys] }] as const
  const { items, next } = await deps.readModels.movies.find({ where, limit: MOVIES_MAX })
  if (next && films.length > 1) {
    const middle = Math.ceil(films.length / 2)
    return [...(await search(deps, viewer, films.slice(0, middle))), ...(await search(deps, viewer, films.slice(middle)))]
  }
  const candidates = byKey(items.filter(isSeenBy(deps.access, viewer)), keys)
  return films.map((film) => [filmOf(film), movieAmong(candidates, film)])
}

const isSeenBy =
  ({ libraries }: MatchingDependencies['access'], viewer: Viewer) =>
  ({ libraryId, files }: MovieDocument): boolean =>
    files.length > 0 && libraries.has(libraryId) && sees(viewer, libraryId)

type Candidates = ReadonlyMap<string, readonly MovieDocument[]>

function byKey(movies: readonly MovieDocument[], keys: ReadonlySet<string>): Candidates {
  const candidates = new Map<string, MovieDocument[]>()
  for (const movie of movies) {
    for (const key of movie.factKeys) {
      if (!keys.has(key)) continue
      const those = candidates.get(key)
      if (those) those.push(movie)
      else candidates.set(key, [movie])
    }
  }
  return candidates
}

function movieAmong(candidates: Candidates, item: Named): MovieDocument | NoMatch {
  const withKeys = (keys: readonly string[]) => [...new Set(keys.flatMap((key) => candidates.get(key) ?? []))]
  const [sure] = withKeys(externalKeysOf(item)).toSorted(byPresence)
  if (sure) return sure
  const named = withKeys(titleKeysOf([item.title])).filter((movie) => !contradicts(movie, item))
  return only(ofYear(named, item.year))
}

/** A provider knows both, as different films. */
function contradicts({ details: { externalIds } }: MovieDocument, { tmdb, imdb }: Named): boolean {
  const differ = (a: string | null, b: string | null): boolean => a !== null && b !== null && a !== b
  return differ(externalIds.tmdb, tmdb) || differ(externalIds.imdb, imdb)
}

function ofYear(movies: readonly MovieDocument[], year: number | null): readonly MovieDocument[] {
  if (year === null) return movies
  const exact = movies.filter((movie) => movie.details.year === year)
  if (exact.length > 0) return exact
  return movies.filter(({ details }) => details.year === null || Math.abs(details.year - year) <= YEARS_APART)
}

/** The same title and year twice is one film in two libraries. */
function only(movies: readonly MovieDocument[]): MovieDocument | NoMatch {
  const [first] = movies.toSorted(byPresence)
  if (!first) return 'not_found'
  return movies.every(({ details }) => details.year === first.details.year) ? first : 'ambiguous'
}

const byPresence = (a: MovieDocument, b: MovieDocument): number =>
  Number(b.available) - Number(a.available) || a.addedAt.localeCompare(b.addedAt) || a.id.localeCompare(b.id)
