/** View `user_movies`: a user's state of a movie: watched, resume point, play count. A document exists only if there is any state. */
import type { EventData } from '../../src/events/catalogue.ts'
import type { ImportOutcome } from '../../src/events/history-events.ts'
import type { FileId, MovieId, SessionId, UserId } from '../../src/vocabulary/id.ts'
import type { Sealed } from '../../src/events/sealed.ts'
import type { Operation, View } from './view.ts'

export interface UserMovieDocument {
  readonly id: string
  readonly userId: UserId
  readonly movieId: MovieId
  readonly watched: boolean
  readonly watchedAt: string | null
  readonly playCount: number
  /** Played here, or according to an import. */
  readonly lastPlayedAt: string | null
  /** Played here. */
  readonly playedAt: string | null
  /** The resume point: the last position that the player reported; null if there is none. */
  readonly resume: ResumePoint | null
  /**
   * `<user> <time of the resume point>`: orders a user's continue-watching list. Null: not on the list. A resume point without it was
   * dismissed from the list.
   */
  readonly continueKey: string | null
  /** When it was added to the watchlist; null: it is not on it. */
  readonly watchlistAt: string | null
  /** Player of the session that set the resume point; null: it was set by hand. */
  readonly client: Sealed | null
  /** Players of the active sessions, the newest last. */
  readonly players: readonly Player[]
}

export interface Player {
  readonly sessionId: SessionId
  readonly client: Sealed
}

export interface ResumePoint {
  readonly fileId: FileId
  readonly positionMs: number
  readonly durationMs: number
  readonly at: string
}

/** A position below min(30 s, 1 % of the film) is not listed; 90 % or more counts as watched. */
const LEAST_MS = 30_000
const LEAST_SHARE = 0.01
const SEEN_SHARE = 0.9

export const userMovieId = (userId: UserId, movieId: MovieId) => `${userId}_${movieId}`
export const continueKey = (userId: UserId, at: string) => `${userId} ${at}`

export const userMovies: View<UserMovieDocument> = {
  name: 'user_movies',
  version: 4,
  fields: {
    userId: 'text',
    movieId: 'text',
    continueKey: 'text',
    watched: 'boolean',
    watchlistAt: 'text',
    lastPlayedAt: 'text',
    playCount: 'number',
  },
  indexes: [['continueKey'], ['userId', 'watched'], ['userId', 'watchlistAt'], ['userId', 'lastPlayedAt'], ['userId', 'playCount']],
  handles: {
    MovieMarkedWatched: ({ data }) => fold(data, (doc) => forget({ ...doc, watched: true, watchedAt: doc.watchedAt ?? data.watchedAt })),
    MovieMarkedUnwatched: ({ data }) => fold(data, (doc) => ({ ...doc, watched: false, watchedAt: null })),
    MovieCompleted: ({ data, at }) =>
      fold(data, (doc) =>
        forget({ ...doc, watched: true, watchedAt: doc.watchedAt ?? data.completedAt, playCount: doc.playCount + 1, ...playedAt(doc, at) }),
      ),
    WatchImported: ({ data }) => fold(data, (doc) => imported(doc, data)),
    WatchImportUndone: ({ data }) => fold(data, (doc) => importUndone(doc, data)),
    ResumePointSet: ({ data, at }) => fold(data, (doc) => ({ ...resumeAt(doc, { ...data, at }), client: null })),
    ResumePointDismissed: ({ data }) => fold(data, (doc) => (data.cleared ? forget(doc) : { ...doc, continueKey: null })),
    MovieWatchlisted: ({ data, at }) => fold(data, (doc) => ({ ...doc, watchlistAt: doc.watchlistAt ?? at })),
    MovieUnwatchlisted: ({ data }) => fold(data, (doc) => ({ ...doc, watchlistAt: null })),
    PlaybackStarted: ({ data }) => fold(data, (doc) => joined(doc, data)),
    PlaybackHeartbeat: ({ data, at }) => fold(data, (doc) => ({ ...reportedBy(doc, { ...data, at }), ...playedAt(doc, at) })),
    PlaybackSeeked: ({ data, at }) => fold(data, (doc) => reportedBy(doc, { ...data, at })),
    PlaybackEnded: ({ data, at }) =>
      fold(data, (doc) => left(data.told && standsAt(doc, data) ? resumeAt(doc, { ...data, at }) : doc, data)),
    PlaybackExpired: ({ data }) => fold(data, (doc) => left(doc, data)),
  },
}

function fold(
  key: { readonly userId: UserId; readonly movieId: MovieId },
  changed: (document: UserMovieDocument) => UserMovieDocument,
): Operation<UserMovieDocument>[] {
  const id = userMovieId(key.userId, key.movieId)
  return [{ id, fold: (document) => changed(document ?? { ...UNTOUCHED, id, userId: key.userId, movieId: key.movieId }) }]
}

const UNTOUCHED = {
  watched: false,
  watchedAt: null,
  playCount: 0,
  lastPlayedAt: null,
  playedAt: null,
  resume: null,
  continueKey: null,
  watchlistAt: null,
  client: null,
  players: [],
} as const

/** A play here happens now, so an import with a later time is wrong and is overridden. */
const playedAt = ({ lastPlayedAt }: UserMovieDocument, at: string) => ({ playedAt: at, lastPlayedAt: latest(lastPlayedAt, at) })

const latest = (a: string | null, b: string | null): string | null => ((a ?? '') > (b ?? '') ? a : b)

/** An existing mark keeps its time, and a resume point stays. */
function imported(doc: UserMovieDocument, { watchedAt, left, outcome }: EventData['WatchImported']): UserMovieDocument {
  const next = importedOutcome(doc, outcome)
  return left === null || doc.resume || next.watched ? next : { ...resumeAt(next, { ...left, at: watchedAt }), client: null }
}

/** Also removes a resume point that the import set. */
function importUndone(doc: UserMovieDocument, { outcome, leftAt }: EventData['WatchImportUndone']): UserMovieDocument {
  const next = importedOutcome(doc, outcome)
  return leftAt.includes(doc.resume?.at ?? '') ? forget(next) : next
}

const importedOutcome = (doc: UserMovieDocument, { watchedAt, playCount, lastImportedAt }: ImportOutcome): UserMovieDocument => ({
  ...doc,
  watched: watchedAt !== null,
  watchedAt,
  playCount,
  lastPlayedAt: latest(doc.playedAt, lastImportedAt),
})

/** The end of a session confirms the current resume point, and never restores one that was cleared or passed since. */
const standsAt = ({ resume, continueKey }: UserMovieDocument, { fileId, positionMs }: Pick<ResumePoint, 'fileId' | 'positionMs'>) =>
  continueKey !== null && resume?.fileId === fileId && resume.positionMs === positionMs

/** Enough for one user's players of one film; beyond this the oldest is dropped. */
const PLAYERS_MAX = 8

type Session = Pick<Player, 'sessionId'>

function joined(doc: UserMovieDocument, { sessionId, client }: Session & { readonly client: Sealed | null }): UserMovieDocument {
  return client ? { ...doc, players: [...doc.players, { sessionId, client }].slice(-PLAYERS_MAX) } : doc
}

const left = (doc: UserMovieDocument, { sessionId }: Session): UserMovieDocument => ({
  ...doc,
  players: doc.players.filter((player) => player.sessionId !== sessionId),
})

/** Applies a position that a session's player reported. */
const reportedBy = (doc: UserMovieDocument, point: Session & ResumePoint): UserMovieDocument => ({
  ...resumeAt(doc, point),
  client: doc.players.find(({ sessionId }) => sessionId === point.sessionId)?.client ?? null,
})

const forget = (doc: UserMovieDocument): UserMovieDocument => ({ ...doc, resume: null, continueKey: null })

function resumeAt(doc: UserMovieDocument, point: ResumePoint): UserMovieDocument {
  const { fileId, positionMs, durationMs, at } = point
  const listed = positionMs > 0 && positionMs >= Math.min(LEAST_MS, durationMs * LEAST_SHARE) && positionMs < durationMs * SEEN_SHARE
  if (!listed) return forget(doc)
  return { ...doc, resume: { fileId, positionMs, durationMs, at }, continueKey: continueKey(doc.userId, at) }
}
