/** Serves lists, details, credits and files of movies, as far as the caller may see them. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { parseId, type LibraryId, type MovieId } from '../../vocabulary/id.ts'
import { creditsOf, type Credits } from '../../../projections/views/credits.ts'
import type { FileDocument } from '../../../projections/views/files.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { countMovies, listMovies, type ListViewer } from './movie-list.ts'
import { createListOrders, type ListOrders } from './list-orders.ts'
import { orderedIds, orderedPage, orderReason } from './ordered-page.ts'
import { anchorsOf, type AnchorsRequest, type MovieAnchors } from './movie-anchors.ts'
import { ownTestOf, type MovieQuery } from './movie-query.ts'
import { INDEXED, type MovieForUser } from './list-sources.ts'
import { createSharedAnchors } from './shared-anchors.ts'
import { userMovieId, type UserMovieDocument } from '../../../projections/views/user-movies.ts'
import { placeResume } from '../../../projections/views/resume-place.ts'
import type { ListPage, PageRequest } from '../read-models/page.ts'
import type { OfferedFile, Trickplay } from '../derived-media/trickplay.ts'
import { NO_SUCH_MOVIE } from '../../domain/movies/refusals.ts'

/** The members of a movie that its details show. */
const DETAILS_PARTS = ['libraryId', 'card', 'details', 'match', 'files'] as const
type DetailsPart = (typeof DETAILS_PARTS)[number]

/** A complete movie, with the caller's own state. */
export interface MovieDetailsForUser {
  readonly movie: Pick<MovieDocument, DetailsPart>
  readonly own: UserMovieDocument | null
  /** Whether thumbnails exist for the file that is played by default. */
  readonly trickplay: boolean
  /** Whether that is still so; unset if it cannot change without an event. */
  readonly holds?: () => Promise<boolean>
}

export interface Movies {
  /** `past`: documents as of an earlier time; visibility follows current permissions. */
  list(caller: Caller, request: MovieQuery & PageRequest, past?: ReadModels): Promise<ListPage<MovieForUser>>
  /** Anchors in the list whose pages `list` returns. Refusals: `invalid` with path `every` or `seed` (movie-anchors.ts). */
  anchors(caller: Caller, request: AnchorsRequest, past?: ReadModels): Promise<MovieAnchors | Refusal>
  get(caller: Caller, id: string): Promise<MovieDetailsForUser | Refusal>
  credits(caller: Caller, id: string): Promise<Credits | Refusal>
  /** The movie's files, the primary one first. */
  files(caller: Caller, id: string): Promise<readonly FileDocument[] | Refusal>
}

/** Tags; undefined while reads may show an older state. */
export interface LastChanges {
  /** Changes whenever lists may change for the caller. */
  catalogue(caller: Caller): string | undefined
  /** Changes whenever movies of these libraries may change, for whomever. */
  movies(libraryIds: readonly LibraryId[]): string | undefined
}

export interface MoviesDependencies {
  readonly access: Access
  readonly readModels: ReadModels
  readonly trickplay: Pick<Trickplay, 'plan'>
  readonly lastChanges: LastChanges
}

/** The id of a movie, if the caller may see it. Reads no more of the movie than that. */
export async function visibleMovieId(
  { access, readModels }: Pick<MoviesDependencies, 'access' | 'readModels'>,
  caller: Caller,
  id: string,
): Promise<MovieId | undefined> {
  const movie = await readModels.movies.getPart(id, ['libraryId'])
  return movie && access.library(caller, movie.libraryId) ? parseId<'movie'>(id) : undefined
}

/** What lists show of the movie, if the caller may see it. Reads no more of the movie than that. */
export async function visibleCard(
  { access, readModels }: Pick<MoviesDependencies, 'access' | 'readModels'>,
  caller: Caller,
  id: string,
): Promise<Pick<MovieDocument, 'libraryId' | 'card'> | undefined> {
  const movie = await readModels.movies.getPart(id, ['libraryId', 'card'])
  return movie && access.library(caller, movie.libraryId) ? movie : undefined
}

/** What details show of the movie, if the caller may see it. */
async function visibleDetails({ access, readModels }: MoviesDependencies, caller: Caller, id: string) {
  const movie = await readModels.movies.getPart(id, DETAILS_PARTS)
  return movie && access.library(caller, movie.libraryId) ? movie : undefined
}

/** The movie, if the caller may see it. */
export async function visibleMovie(
  { access, readModels }: Pick<MoviesDependencies, 'access' | 'readModels'>,
  caller: Caller,
  id: string,
): Promise<MovieDocument | undefined> {
  const movie = await readModels.movies.get(id)
  return movie && access.library(caller, movie.libraryId) ? movie : undefined
}

/** The libraries that the caller may see, among those asked for. */
export function visibleLibraries(access: Access, caller: Caller, asked?: readonly string[]): readonly LibraryId[] {
  return [...access.libraries.values()].flatMap(({ id }) => (access.library(caller, id) && (!asked || asked.includes(id)) ? [id] : []))
}

export function createMovies(deps: MoviesDependencies): Movies {
  const { access, lastChanges, readModels } = deps
  const orders = createListOrders()
  const anchors = createSharedAnchors()
  const viewerOf = (caller: Caller, { libraryIds }: MovieQuery): ListViewer => ({
    userId: caller.userId,
    libraryIds: visibleLibraries(access, caller, libraryIds),
  })
  return {
    async anchors(caller, request, past) {
      const viewer = viewerOf(caller, request)
      const make = () => anchorsOf(past ?? readModels, viewer, request)
      if (past || !isForAll(request)) return make()
      return anchors.of(sharedKey(viewer, request), lastChanges.movies(viewer.libraryIds), make)
    },

    async list(caller, { counted = false, ...request }, past) {
      const viewer = viewerOf(caller, request)
      const known = past ? undefined : await knownPage(deps, orders, { caller, viewer, request })
      if (known) return counted ? known : { items: known.items, next: known.next }
      const page = await listMovies(past ?? readModels, viewer, request)
      return counted ? { ...page, total: await countMovies(past ?? readModels, viewer, request) } : page
    },

    async get(caller, id) {
      const movie = await visibleDetails(deps, caller, id)
      if (!movie) return NO_SUCH_MOVIE
      const own = await readModels.userMovies.get(userMovieId(caller.userId, movie.card.id))
      const set = trickplaySetOf(movie)
      const hasTrickplay = async () => set !== undefined && (await deps.trickplay.plan(set)) !== undefined
      const trickplay = await hasTrickplay()
      const holds = set && (async () => (await hasTrickplay()) === trickplay)
      return { movie, own: own ? placeResume(movie.files, own) : null, trickplay, ...omitUndefined({ holds }) }
    },

    async credits(caller, id) {
      const movieId = await visibleMovieId(deps, caller, id)
      if (!movieId) return NO_SUCH_MOVIE
      const credits = await readModels.credits.get(id)
      return credits ? creditsOf(credits) : { id: movieId, cast: [], crew: [] }
    },

    async files(caller, id) {
      const movie = await visibleMovie(deps, caller, id)
      return movie ? readModels.filesOf(movie) : NO_SUCH_MOVIE
    },
  }
}

/** Whether the list is the same for all who see the same libraries: nothing in it depends on their own marks. */
const isForAll = (query: MovieQuery): boolean => INDEXED[query.sort] !== undefined && !ownTestOf(query)
const sharedKey = ({ libraryIds }: ListViewer, query: MovieQuery): string => `${libraryIds.join()} ${JSON.stringify(query)}`

/** Of all movies: in larger libraries the next movie is never far along the index. */
const LIBRARIES_SHARE = 1 / 4

interface Listing {
  readonly caller: Caller
  readonly viewer: ListViewer
  readonly request: MovieQuery & PageRequest
}

/** A page of a list whose order is known, with its total. */
async function knownPage(
  { access, readModels, lastChanges }: MoviesDependencies,
  orders: ListOrders,
  { caller, viewer, request: { after, limit, ...query } }: Listing,
): Promise<(ListPage<MovieForUser> & { readonly total: number }) | undefined> {
  const isOfSomeLibraries = viewer.libraryIds.length < access.libraries.size
  const reason = orderReason(query, isOfSomeLibraries)
  if (!reason) return undefined
  const longest = async () => Math.floor((await readModels.movies.count([])) * LIBRARIES_SHARE)
  const list = { ids: () => orderedIds(readModels, viewer, query), ...(reason === 'libraries' ? { longest } : {}) }
  const isShared = isForAll(query)
  const tag = () => (isShared ? lastChanges.movies(viewer.libraryIds) : lastChanges.catalogue(caller))
  const before = tag()
  const order = orders.of(isShared ? sharedKey(viewer, query) : `${viewer.userId} ${JSON.stringify(query)}`, { ...list, tag })
  const page = order && (await orderedPage(readModels, viewer, { order, query, page: { limit, ...omitUndefined({ after }) } }))
  // What was read while the list has changed may have another place in it.
  return page && tag() === before ? { ...page, total: order.total } : undefined
}

/** What to look for on the disk; undefined for a movie that never had a set. */
function trickplaySetOf({ libraryId, files }: Pick<MovieDocument, 'libraryId' | 'files'>): OfferedFile | undefined {
  const fingerprint = files.find(({ available }) => available)?.trickplay
  return fingerprint === undefined ? undefined : { libraryId, fingerprint }
}
