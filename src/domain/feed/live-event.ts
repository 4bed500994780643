/** A live event, and who may get it. */
import type { JsonObject } from '../../events/envelope.ts'
import type { LibraryId, MovieId, ScanId, SessionId, UserId, ViewingId } from '../../vocabulary/id.ts'

export type Audience =
  /** Users who may see the library. */
  | { readonly to: 'library'; readonly libraryId: LibraryId }
  /** Users with a grant for the library, even if it no longer exists. */
  | { readonly to: 'granted'; readonly libraryId: LibraryId }
  /** Users who may see the movie. */
  | { readonly to: 'movie'; readonly movieId: MovieId }
  /** One user; if it concerns a movie, only while that user may see it. */
  | { readonly to: 'user'; readonly userId: UserId; readonly movieId: MovieId | null }
  /** One user, and the admins who asked for all players. */
  | { readonly to: 'player'; readonly userId: UserId }
  | { readonly to: 'admins' }

export interface LiveEvent {
  readonly kind: string
  readonly audience: Audience
  /** As on the wire; for scans the scan itself is added. */
  readonly payload: JsonObject
  readonly scanId?: ScanId
  /** The viewing whose hour is added to the payload. */
  readonly viewingId?: SessionId | ViewingId
  /** The user's resume point in the movie is added to the payload. `if-any`: without one it has not changed, and the event is dropped. */
  readonly resume?: 'always' | 'if-any'
}
