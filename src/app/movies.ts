/** Movies: lists, details, credits, files and pictures, as the caller may see them. */
import { parseId, type LibraryId, type MovieId } from '../events/id.ts'
import type { CreditsDocument } from '../../projections/credits.ts'
import type { FileDocument } from '../../projections/files.ts'
import type { MovieDocument } from '../../projections/movie-document.ts'
import { refuse, type Refusal } from '../domain/refusal.ts'
import { isVideo } from '../domain/video-files.ts'
import type { Media } from '../ports/media.ts'
import type { Stills } from '../ports/stills.ts'
import type { Access } from './access.ts'
import type { Caller } from './caller.ts'
import type { Documents } from './documents.ts'
import { imageTypeOf, type ImageType } from './image-type.ts'
import { countMovies, listMovies, type ListViewer } from './movie-list.ts'
import type { MovieQuery } from './movie-query.ts'
import type { MovieForUser } from './movie-stretches.ts'
import type { UserMovieDocument } from '../../projections/user-movies.ts'
import type { ListPage, PageRequest } from './page.ts'

/** A movie whole, with what the caller's own doing says about it. */
export interface MovieDetailsForUser {
  readonly movie: MovieDocument
  readonly own: UserMovieDocument | null
}

export interface MovieListRequest extends MovieQuery, PageRequest {
  /** Whether to count all that the query means. */
  readonly counted?: boolean
}

/** `total` where it was asked for. */
export interface MoviePage extends ListPage<MovieForUser> {
  readonly total?: number
}

export interface Picture {
  readonly bytes: Uint8Array
  readonly type: ImageType
  /** Whether its library shows its pictures to everybody who knows their ids. */
  readonly isPublic: boolean
}

export interface Movies {
  /** `past`: documents as they were at some time; what is visible is judged as of now. */
  list(caller: Caller, request: MovieListRequest, past?: Documents): Promise<MoviePage>
  get(caller: Caller, id: string): Promise<MovieDetailsForUser | Refusal>
  credits(caller: Caller, id: string): Promise<CreditsDocument | Refusal>
  /** The movie's files, the primary one first. */
  files(caller: Caller, id: string): Promise<readonly FileDocument[] | Refusal>
  /** Bytes of a picture by its id, judged by the caller's grants unless public. */
  image(imageId: string, caller: Caller | null): Promise<Picture | Refusal>
}

export const UNKNOWN_MOVIE = refuse('not-found', 'There is no such movie')
const NO_IMAGE = refuse('not-found', 'There is no such image')
const IMAGE_BYTES_MAX = 20 * 1024 * 1024

export interface MoviesDependencies {
  readonly access: Access
  readonly documents: Documents
  readonly media: Pick<Media, 'readSmall'>
  readonly stills: Stills
}

/** A picture out of the film at this path; undefined where it is no longer one of the movie's. */
async function stillOf({ documents, stills }: MoviesDependencies, movie: MovieDocument, path: string): Promise<Uint8Array | undefined> {
  const file = (await documents.filesOf(movie)).find((one) => one.path === path && !one.missing)
  return file?.media ? stills.still({ path, fingerprint: file.fingerprint, durationMs: file.media.durationMs }) : undefined
}

/** The id of a movie, where the caller sees it: of the movie itself nothing more is read. */
export async function visibleMovieId(
  { access, documents }: Pick<MoviesDependencies, 'access' | 'documents'>,
  caller: Caller,
  id: string,
): Promise<MovieId | undefined> {
  const movie = await documents.movies.getPart(id, ['libraryId'])
  return movie && access.library(caller, movie.libraryId) ? parseId<'movie'>(id) : undefined
}

/** The movie, where the caller sees it. */
export async function visibleMovie(
  { access, documents }: Pick<MoviesDependencies, 'access' | 'documents'>,
  caller: Caller,
  id: string,
): Promise<MovieDocument | undefined> {
  const movie = await documents.movies.get(id)
  return movie && access.library(caller, movie.libraryId) ? movie : undefined
}

/** The libraries that the caller sees, of those asked for. */
export function visibleLibraries(access: Access, caller: Caller, asked?: readonly string[]): readonly LibraryId[] {
  return [...access.libraries.values()].flatMap(({ id }) => (access.library(caller, id) && (!asked || asked.includes(id)) ? [id] : []))
}

export function createMovies(deps: MoviesDependencies): Movies {
  const { access, documents, media } = deps
  return {
    async list(caller, { counted = false, ...request }, past = documents) {
      const viewer: ListViewer = { userId: caller.userId, libraryIds: visibleLibraries(access, caller, request.libraryIds) }
      const page = await listMovies(past, viewer, request)
      return counted ? { ...page, total: await countMovies(past, viewer, request) } : page
    },

    async get(caller, id) {
      const movie = await visibleMovie(deps, caller, id)
      if (!movie) return UNKNOWN_MOVIE
      const own = await documents.ownOf(caller.userId, [movie.id])
      return { movie, own: own.get(movie.id) ?? null }
    },

    async credits(caller, id) {
      const movie = await visibleMovie(deps, caller, id)
      if (!movie) return UNKNOWN_MOVIE
      return (await documents.credits.get(id)) ?? { id: movie.id, cast: [], crew: [] }
    },

    async files(caller, id) {
      const movie = await visibleMovie(deps, caller, id)
      return movie ? documents.filesOf(movie) : UNKNOWN_MOVIE
    },

    async image(id, caller) {
      const image = await documents.images.get(id)
      const movie = image && (await documents.movies.get(image.movieId))
      const library = movie && access.libraries.get(movie.libraryId)
      if (!image || !library) return NO_IMAGE
      const { publicImages: isPublic } = library.settings
      if (!isPublic && !caller) return refuse('unauthenticated', 'Missing or invalid authentication')
      if (!isPublic && caller && !access.library(caller, library.id)) return NO_IMAGE
      const bytes = await (isVideo(image.path) ? stillOf(deps, movie, image.path) : media.readSmall(image.path, IMAGE_BYTES_MAX))
      const type = bytes && imageTypeOf(bytes)
      return bytes && type ? { bytes, type, isPublic } : NO_IMAGE
    },
  }
}
