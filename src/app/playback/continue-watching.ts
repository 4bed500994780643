/** Lists resume points, newest first, of movies that are visible and available. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { continueKey } from '../../../projections/views/user-movies.ts'
import type { UserMovieDocument } from '../../../projections/views/user-movies.ts'
import { placeResume } from '../../../projections/views/resume-place.ts'
import type { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { countMovies } from '../movies/movie-list.ts'
import { visibleLibraries } from '../movies/movies.ts'
import { totalOf, type ListPage, type PagePoint, type PageRequest } from '../read-models/page.ts'
import { deviceOf } from './client-name.ts'
import type { ContinueItem } from './playback-types.ts'
import type { Sealer } from '../commands/sealer.ts'

/** Most pages read, so that a list of deleted movies cannot delay a request for long. */
const ROUNDS_MAX = 5

export async function listContinueWatching(
  deps: { readonly access: Access; readonly readModels: ReadModels; readonly sealer: Sealer },
  caller: Caller,
  request: PageRequest,
): Promise<ListPage<ContinueItem>> {
  const { after, limit } = request
  const items: ContinueItem[] = []
  let point: PagePoint | null | undefined = after
  for (let round = 0; round < ROUNDS_MAX && items.length <= limit && point !== null; round++) {
    const page = await deps.readModels.userMovies.find({
      where: [{ field: 'continueKey', op: 'prefix', value: continueKey(caller.userId, '') }],
      sort: { field: 'continueKey', direction: 'desc' },
      limit: limit + 1,
      ...omitUndefined({ after: point }),
    })
    items.push(...(await present(deps, caller, page.items)))
    point = page.next
  }
  const last = items[limit - 1]
  const more = items.length > limit && last
  // If the limit was reached, return a short page; the next one continues at the same point.
  const next = more ? { value: last.own.continueKey, id: last.own.id } : (point ?? null)
  return { items: items.slice(0, limit), next, ...(await totalOf(request, () => count(deps, caller))) }
}

/** The list holds the same movies as the list of movies in progress. */
async function count(
  { access, readModels }: { readonly access: Access; readonly readModels: ReadModels },
  caller: Caller,
): Promise<number> {
  const viewer = { userId: caller.userId, libraryIds: visibleLibraries(access, caller) }
  return countMovies(readModels, viewer, { inProgress: true, sort: 'title', order: 'asc' })
}

async function present(
  { access, readModels, sealer }: { access: Access; readModels: ReadModels; sealer: Sealer },
  caller: Caller,
  found: readonly UserMovieDocument[],
) {
  const movies = new Map((await readModels.movies.getMany(found.map(({ movieId }) => movieId))).map((movie) => [movie.id, movie]))
  const items = found.map(async (own) => {
    const movie = movies.get(own.movieId)
    if (!movie?.available || !access.library(caller, movie.libraryId)) return []
    const placed = placeResume(movie.files, own)
    return placed.resume ? [{ movie, own: placed, point: placed.resume, device: await deviceOf(sealer, own.client) }] : []
  })
  return (await Promise.all(items)).flat()
}
