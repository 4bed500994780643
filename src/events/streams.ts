/** Names of streams. No dash inside a category name (engines split there), no personal data (erasure cannot reach a name). */
import type { ErasureId, ImportId, JobId, LibraryId, LoginId, MovieId, SessionId, UserId, WebhookId } from '../vocabulary/id.ts'

export const libraryStream = (id: LibraryId) => `library-${id}`
export const scanStream = (id: LibraryId) => `scan-${id}`
export const movieStream = (id: MovieId) => `movie-${id}`
export const watchedStream = (userId: UserId, movieId: MovieId) => `watched-${userId}_${movieId}`
export const playbackStream = (id: SessionId) => `playback-${id}`
export const transcodeStream = (id: JobId) => `transcode-${id}`
export const userStream = (id: UserId) => `user-${id}`
export const loginStream = (id: LoginId) => `login-${id}`
/** A user's refusals and views of others' histories on one day (`YYYY-MM-DD`): a stream of bounded length. */
export const accessStream = (id: UserId, day: string) => `access-${id}_${day.replaceAll('-', '')}`
/** The items that one history import could not place, and whether it was undone. */
export const importStream = (id: ImportId) => `import-${id}`
/** The erasure of a user: there is only one, and its id reveals no user. */
export const erasureStream = (id: ErasureId) => `erasure-${id}`
export const webhookStream = (id: WebhookId) => `webhook-${id}`
/** Events about all logins. */
export const LOGINS_STREAM = 'system-logins'
/** `hmac`: HMAC-SHA256 of kind and value with a key of this installation, hex. */
export const claimStream = (hmac: string) => `claim-${hmac}`

/** The seals of the log. */
export const SEALS_STREAM = 'seal-log'

/** Events of the whole installation. */
export const INSTALLATION_STREAM = 'installation-1'

/** Category and name of a stream: `movie-<id>` is `movie` and the id. */
export function partsOf(stream: string): { readonly category: string; readonly name: string } {
  const dash = stream.indexOf('-')
  return { category: stream.slice(0, dash), name: stream.slice(dash + 1) }
}

/** User and movie from the name of a `watched` stream: two identifiers of 21 characters joined by an underscore. */
export const watchedParts = (name: string) => ({ userId: name.slice(0, 21), movieId: name.slice(22) })
