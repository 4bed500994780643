/** Names of streams. No dash inside a category name (engines split there), no personal data (no erasure reaches a name). */
import type { LibraryId, LoginId, MovieId, SessionId, UserId } from './id.ts'

export const libraryStream = (id: LibraryId) => `library-${id}`
export const scanStream = (id: LibraryId) => `scan-${id}`
export const movieStream = (id: MovieId) => `movie-${id}`
export const watchedStream = (userId: UserId, movieId: MovieId) => `watched-${userId}_${movieId}`
export const playbackStream = (id: SessionId) => `playback-${id}`
export const userStream = (id: UserId) => `user-${id}`
export const loginStream = (id: LoginId) => `login-${id}`
/** `hmac`: HMAC-SHA256 of kind and value with a key of this installation, hex. */
export const claimStream = (hmac: string) => `claim-${hmac}`
