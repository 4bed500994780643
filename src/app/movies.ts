/** Movies: lists, details, and a user's marks on them. */
import type { CreditsDocument } from '../../projections/credits.ts'
import type { FileDocument } from '../../projections/files.ts'
import type { MovieDocument } from '../../projections/movies.ts'
import type { UserMovieDocument } from '../../projections/user-movies.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Caller, RequestOrigin } from './caller.ts'
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
  image(imageId: string): Promise<{ readonly bytes: Uint8Array; readonly type: 'image/jpeg' | 'image/png' | 'image/webp' } | Refusal>
}
