/** Movies: lists, details, and a user's marks on them. */
import type { MovieId } from '../events/id.ts'
import { searchWords } from '../events/text.ts'
import { watchedStream } from '../events/streams.ts'
import type { CreditsDocument } from '../../projections/credits.ts'
import type { FileDocument } from '../../projections/files.ts'
import type { MovieDocument } from '../../projections/movies.ts'
import type { UserMovieDocument } from '../../projections/user-movies.ts'
import { isRefusal, refuse, type Refusal } from '../domain/refusal.ts'
import { sees } from '../domain/visibility.ts'
import { markUnwatched, markWatched, watched } from '../domain/watched.ts'
import type { Clock } from '../ports/clock.ts'
import type { Media } from '../ports/media.ts'
import type { Filter } from '../ports/read-store.ts'
import type { Access } from './access.ts'
import type { Caller, RequestOrigin } from './caller.ts'
import { byUser, type Commander, type Outcome } from './commander.ts'
import type { Documents } from './documents.ts'
import type { Freshness } from './freshness.ts'
import { imageTypeOf, type ImageType } from './image-type.ts'
import type { ListPage, PageRequest } from './page.ts'

/** A movie with what the caller's own doing says about it (null: nothing yet). */
export interface MovieForUser {
  readonly movie: MovieDocument
  readonly own: UserMovieDocument | null
}

export interface MovieListRequest extends PageRequest {
  readonly sort: 'title' | 'addedAt'
  readonly order: 'asc' | 'desc'
  /** Only these libraries; those that the caller does not see are left out silently. */
  readonly libraryIds?: readonly string[]
  /** Free text: every word must begin a word of title, original title or a person. */
  readonly text?: string
}

export interface WatchedMark {
  readonly watched: boolean
  readonly watchedAt: string | null
  readonly playCount: number
}

export interface Movies {
  /** Movies with at least one file that is there. */
  list(caller: Caller, request: MovieListRequest): Promise<ListPage<MovieForUser>>
  get(caller: Caller, id: string): Promise<MovieForUser | Refusal>
  credits(caller: Caller, id: string): Promise<CreditsDocument | Refusal>
  /** The movie's files, the primary one first. */
  files(caller: Caller, id: string): Promise<readonly FileDocument[] | Refusal>
  /** `watchedAt` RFC 3339, default now; `invalid` (`watchedAt`) when it lies in the future. A repeat keeps the first time. */
  markWatched(caller: Caller, id: string, watchedAt: string | undefined, origin: RequestOrigin): Promise<WatchedMark | Refusal>
  markUnwatched(caller: Caller, id: string, origin: RequestOrigin): Promise<WatchedMark | Refusal>
  /** Bytes of a picture by its id, judged by the caller's grants unless public. */
  image(imageId: string): Promise<{ readonly bytes: Uint8Array; readonly type: ImageType } | Refusal>
}

const UNKNOWN = refuse('not-found', 'There is no such movie')
const NO_IMAGE = refuse('not-found', 'There is no such image')
const IMAGE_BYTES_MAX = 20 * 1024 * 1024

export interface MoviesDependencies {
  readonly access: Access
  readonly commander: Commander
  readonly clock: Clock
  readonly documents: Documents
  readonly freshness: Freshness
  readonly media: Media
}

export function createMovies({ access, commander, clock, documents, freshness, media }: MoviesDependencies): Movies {
  async function visible(caller: Caller, id: string): Promise<MovieDocument | undefined> {
    const movie = await documents.movies.get(id)
    return movie && sees(caller, movie.libraryId) ? movie : undefined
  }

  /** The libraries to look in: those asked for that the caller sees. */
  function scope(caller: Caller, asked: readonly string[] | undefined): readonly string[] {
    return [...access.libraries.values()].flatMap(({ id }) => (sees(caller, id) && (!asked || asked.includes(id)) ? [id] : []))
  }

  async function answer(done: Outcome<{ watchedAt: string | null; playCount: number }> | Refusal) {
    if (isRefusal(done)) return done
    await freshness.reach(done.position)
    const { watchedAt, playCount } = done.state
    return { watched: watchedAt !== null, watchedAt, playCount }
  }

  const watchedBy = (caller: Caller, movieId: MovieId) => ({ stream: watchedStream(caller.userId, movieId), decider: watched })

  return {
    async list(caller, { sort, order, libraryIds, text, after, limit }) {
      const where: Filter[] = [
        { field: 'available', op: 'eq', value: true },
        { field: 'libraryId', op: 'in', values: scope(caller, libraryIds) },
      ]
      if (text !== undefined) where.push({ field: 'words', op: 'tokens', words: searchWords([text]) })
      const field = sort === 'title' ? 'sortTitle' : 'addedAt'
      const page = await documents.movies.find({ where, sort: { field, direction: order }, limit, ...(after ? { after } : {}) })
      const own = await documents.ownOf(
        caller.userId,
        page.items.map(({ id }) => id),
      )
      return { items: page.items.map((movie) => ({ movie, own: own.get(movie.id) ?? null })), next: page.next }
    },

    async get(caller, id) {
      const movie = await visible(caller, id)
      if (!movie) return UNKNOWN
      const own = await documents.ownOf(caller.userId, [movie.id])
      return { movie, own: own.get(movie.id) ?? null }
    },

    async credits(caller, id) {
      const movie = await visible(caller, id)
      if (!movie) return UNKNOWN
      return (await documents.credits.get(id)) ?? { id: movie.id, cast: [], crew: [] }
    },

    async files(caller, id) {
      const movie = await visible(caller, id)
      return movie ? documents.filesOf(movie) : UNKNOWN
    },

    async markWatched(caller, id, watchedAt, origin) {
      const movie = await visible(caller, id)
      if (!movie) return UNKNOWN
      const now = new Date(clock.now()).toISOString()
      const own = await documents.ownOf(caller.userId, [movie.id])
      const decide = markWatched({ userId: caller.userId, movieId: movie.id }, watchedAt ?? now, {
        now,
        resumable: own.get(movie.id)?.resume != null,
      })
      return answer(await commander.execute(watchedBy(caller, movie.id), decide, byUser(caller.userId, 'markWatched', origin)))
    },

    async markUnwatched(caller, id, origin) {
      const movie = await visible(caller, id)
      if (!movie) return UNKNOWN
      const decide = markUnwatched({ userId: caller.userId, movieId: movie.id })
      return answer(await commander.execute(watchedBy(caller, movie.id), decide, byUser(caller.userId, 'markUnwatched', origin)))
    },

    async image(id) {
      const image = await documents.images.get(id)
      const movie = image && (await documents.movies.get(image.movieId))
      if (!image || !movie || !access.libraries.has(movie.libraryId)) return NO_IMAGE
      const bytes = await media.readSmall(image.path, IMAGE_BYTES_MAX)
      const type = bytes && imageTypeOf(bytes)
      return bytes && type ? { bytes, type } : NO_IMAGE
    },
  }
}
