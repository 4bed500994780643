/** The queries that lists of movies and what stands beside them make of a read store, by every sort and filter. */
import { createDocuments } from '../../src/app/read-models/documents.ts'
import { countMovies, listMovies } from '../../src/app/movies/movie-list.ts'
import { filtersOf, SORTS, type MovieQuery } from '../../src/app/movies/movie-query.ts'
import type { Filter, Query, ReadStore } from '../../src/ports/read-store.ts'
import { movies } from '../../projections/views/movies.ts'
import { specOf } from '../../projections/projector/projector.ts'
import { resumePoints } from '../../projections/views/resume-points.ts'
import type { AnyView } from '../../projections/views/view.ts'
import { named } from '../names.ts'

const FILTERS: readonly Partial<MovieQuery>[] = [
  {},
  { libraryIds: ['one'] },
  { text: 'a bc' },
  { keys: { genre: ['drama', 'war'], studio: ['x'] } },
  { keys: { videoCodec: ['h264'], audioLanguage: ['de'] } },
  { years: [1999, 2000] },
  { yearFrom: 1990, yearTo: 1999 },
  { minRating: 5, minDurationMs: 1, maxDurationMs: 2 },
  { addedAfter: '2026-01-01T00:00:00.000Z', addedBefore: '2027-01-01T00:00:00.000Z' },
  { availability: 'missing' },
  { availability: 'all', matched: true },
  { watched: true },
  { watched: false },
  { inProgress: true },
  { watchlist: true },
]

/** Makes every list of movies of the store. */
export async function makeMovieLists(store: ReadStore): Promise<void> {
  const documents = createDocuments(store)
  const viewer = { userId: named<'user'>('user'), libraryIds: [named<'library'>('one'), named<'library'>('two')] }
  for (const sort of SORTS) {
    for (const order of ['asc', 'desc'] as const) {
      for (const filters of FILTERS) await listMovies(documents, viewer, { sort, order, ...filters, limit: 20 })
    }
  }
  await countMovies(documents, viewer, { sort: 'title', order: 'asc', watched: true })
}

interface CollectionQuery {
  readonly collection: string
  readonly query: Query
}

/** What is among a user's own movies, and the history of resume points. */
export function ownQueries(): readonly CollectionQuery[] {
  const among = ['sortTitle', 'rating', 'shuffle'].map((field) => {
    const where = filtersOf({ sort: 'title', order: 'asc' }, [named('one')])
    const query = { where, sort: { field, direction: 'asc' }, among: ['a'], limit: 20 } as const
    return { collection: specOf(movies as unknown as AnyView).name, query }
  })
  const where: readonly Filter[] = [{ field: 'key', op: 'eq', value: 'user_movie' }]
  const history = { where, sort: { field: 'at', direction: 'desc' }, limit: 20 } as const
  return [...among, { collection: specOf(resumePoints as unknown as AnyView).name, query: history }]
}
