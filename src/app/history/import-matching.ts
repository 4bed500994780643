/**
 * Finds the movie of an imported item: by provider ids first, else by title and year. Only movies that the user may see count. If a film is
 * in several libraries, an available one is preferred, then the one that was added first.
 */
import type { ImportItem, NoMatch } from '../../events/history-events.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import { externalKeysOf, titleKeysOf } from '../../../projections/views/movie-query-fields.ts'
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
/** Most movies of one title that are compared. */
const CANDIDATES_MAX = 50

export async function movieOf(deps: MatchingDependencies, viewer: Viewer, item: Named): Promise<MovieDocument | NoMatch> {
  const byIds = await candidates(deps, viewer, externalKeysOf(item))
  const [sure] = byIds.toSorted(byPresence)
  if (sure) return sure
  const named = (await candidates(deps, viewer, titleKeysOf([item.title]))).filter((movie) => !contradicts(movie, item))
  return only(ofYear(named, item.year))
}

async function candidates({ access, readModels }: MatchingDependencies, viewer: Viewer, keys: readonly string[]) {
  if (keys.length === 0) return []
  const where = [{ field: 'factKeys', op: 'has', values: keys }] as const
  const { items } = await readModels.movies.find({ where, limit: CANDIDATES_MAX })
  return items.filter(({ libraryId, files }) => files.length > 0 && access.libraries.has(libraryId) && sees(viewer, libraryId))
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
