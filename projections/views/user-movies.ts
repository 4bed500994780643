/** View `user_movies`: a user's state of a movie: watched, resume point, play count. A document exists only if there is any state. */
import type { EventData } from '../../src/events/catalogue.ts'
import type { ImportOutcome } from '../../src/events/history-events.ts'
import type { FileId, ImportId, MovieId, SessionId, UserId } from '../../src/vocabulary/id.ts'
import { isResumable } from '../../src/vocabulary/resume-range.ts'
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
  /** The resume point: the newest position, from here or from an import; null if there is none, or if the film was watched since. */
  readonly resume: ResumePoint | null
  /**
   * `<user> <time of the resume point>`: orders a user's continue-watching list. Null: not on the list. A resume point without it was
   * dismissed from the list.
   */
  readonly continueKey: string | null
  /** When it was added to the watchlist; null: it is not on it. */
  readonly watchlistAt: string | null
  /** Player of the session that set the resume point; null: it was set by hand, or imported. */
  readonly client: Sealed | null
  /** What last set or cleared the resume point here; null: nothing did yet. */
  readonly here: Stop | null
  /** The newest viewing of each import, so that undoing one brings back what the others say. The newest is the last. */
  readonly imported: readonly ImportedStop[]
  /** Resume points up to this time were dismissed from the list; null: none was. */
  readonly dismissedAt: string | null
  /** Players of the active sessions, the newest last. */
  readonly players: readonly Player[]
}

export interface Player {
  readonly sessionId: SessionId
  readonly client: Sealed
}

/** `resume` is null if the film was watched to its end, or if the resume point was cleared. */
interface Stop {
  readonly at: string
  readonly resume: ResumePoint | null
  readonly client: Sealed | null
}

interface ImportedStop extends Stop {
  readonly importId: ImportId
}

export interface ResumePoint {
  readonly fileId: FileId
  readonly positionMs: number
  readonly durationMs: number
  readonly at: string
}

export const userMovieId = (userId: UserId, movieId: MovieId) => `${userId}_${movieId}`
export const continueKey = (userId: UserId, at: string) => `${userId} ${at}`

export const userMovies: View<UserMovieDocument> = {
  name: 'user_movies',
  version: 5,
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
    MovieMarkedWatched: ({ data, at }) =>
      fold(data, (doc) => forget({ ...doc, watched: true, watchedAt: doc.watchedAt ?? data.watchedAt }, at)),
    MovieMarkedUnwatched: ({ data }) => fold(data, (doc) => ({ ...doc, watched: false, watchedAt: null })),
    MovieCompleted: ({ data, at }) => fold(data, (doc) => forget(completed(doc, data.completedAt, at), at)),
    WatchImported: ({ data }) => fold(data, (doc) => imported(doc, data)),
    WatchImportUndone: ({ data }) => fold(data, (doc) => importUndone(doc, data)),
    ResumePointSet: ({ data, at }) => fold(data, (doc) => resumeAt(doc, { ...data, at }, null)),
    ResumePointDismissed: ({ data, at }) => fold(data, (doc) => (data.cleared ? forget(doc, at) : dismissed(doc, at))),
    MovieWatchlisted: ({ data, at }) => fold(data, (doc) => ({ ...doc, watchlistAt: doc.watchlistAt ?? at })),
    MovieUnwatchlisted: ({ data }) => fold(data, (doc) => ({ ...doc, watchlistAt: null })),
    PlaybackStarted: ({ data }) => fold(data, (doc) => joined(doc, data)),
    PlaybackHeartbeat: ({ data, at }) => fold(data, (doc) => ({ ...reportedBy(doc, { ...data, at }), ...playedAt(doc, at) })),
    PlaybackSeeked: ({ data, at }) => fold(data, (doc) => reportedBy(doc, { ...data, at })),
    PlaybackEnded: ({ data, at }) =>
      fold(data, (doc) => left(data.told && standsAt(doc, data) ? resumeAt(doc, { ...data, at }, doc.client) : doc, data)),
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
  here: null,
  imported: [],
  dismissedAt: null,
  players: [],
} as const

/** A play here happens now, so an import with a later time is wrong and is overridden. */
const playedAt = ({ lastPlayedAt }: UserMovieDocument, at: string) => ({ playedAt: at, lastPlayedAt: latest(lastPlayedAt, at) })

const latest = (a: string | null, b: string | null): string | null => ((a ?? '') > (b ?? '') ? a : b)

/** An existing mark keeps its time. */
const completed = (doc: UserMovieDocument, completedAt: string, at: string): UserMovieDocument => ({
  ...doc,
  watched: true,
  watchedAt: doc.watchedAt ?? completedAt,
  playCount: doc.playCount + 1,
  ...playedAt(doc, at),
})

/** Enough for the programs that one household imports from; beyond this the one with the oldest viewing is dropped. */
const IMPORTS_MAX = 20

function imported(doc: UserMovieDocument, { importId, watchedAt, left, outcome }: EventData['WatchImported']): UserMovieDocument {
  const stop = { importId, at: watchedAt, resume: left && listable({ ...left, at: watchedAt }), client: null }
  const byImport = new Map([...doc.imported, stop].toSorted(byAge).map((one) => [one.importId, one]))
  return settled({ ...importedOutcome(doc, outcome), imported: [...byImport.values()].toSorted(byAge).slice(-IMPORTS_MAX) })
}

const importUndone = (doc: UserMovieDocument, { importId, outcome }: EventData['WatchImportUndone']): UserMovieDocument =>
  settled({ ...importedOutcome(doc, outcome), imported: doc.imported.filter((one) => one.importId !== importId) })

/** Oldest first. Of two at the same time, the one further into the film counts as newer, so that the order of the items does not matter. */
const byAge = (a: ImportedStop, b: ImportedStop): number => (a.at === b.at ? reachedMs(a) - reachedMs(b) : a.at < b.at ? -1 : 1)

const reachedMs = ({ resume }: ImportedStop): number => resume?.positionMs ?? Number.MAX_SAFE_INTEGER

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
const reportedBy = (doc: UserMovieDocument, point: Session & ResumePoint): UserMovieDocument =>
  resumeAt(doc, point, doc.players.find(({ sessionId }) => sessionId === point.sessionId)?.client ?? null)

const forget = (doc: UserMovieDocument, at: string): UserMovieDocument => stoppedHere(doc, { at, resume: null, client: null })

const resumeAt = (doc: UserMovieDocument, point: ResumePoint, client: Sealed | null): UserMovieDocument =>
  stoppedHere(doc, { at: point.at, resume: listable(point), client })

/** Null if the position is too near to the beginning or to the end to go on from. */
function listable({ fileId, positionMs, durationMs, at }: ResumePoint): ResumePoint | null {
  return isResumable(positionMs, durationMs) ? { fileId, positionMs, durationMs, at } : null
}

/** The last write here takes precedence over earlier ones, whatever their times, and ends a dismissal. */
const stoppedHere = (doc: UserMovieDocument, here: Stop): UserMovieDocument => settled({ ...doc, here, dismissedAt: null })

const dismissed = (doc: UserMovieDocument, at: string): UserMovieDocument =>
  settled({ ...doc, dismissedAt: latest(at, doc.resume?.at ?? null) })

/** The newest stop by time takes precedence: the one here, unless an imported one is newer. */
function settled(doc: UserMovieDocument): UserMovieDocument {
  const newest = doc.imported.at(-1)
  const { resume, client } = (newest && newest.at > (doc.here?.at ?? '') ? newest : doc.here) ?? NO_STOP
  const listed = resume !== null && resume.at > (doc.dismissedAt ?? '')
  return { ...doc, resume, client, continueKey: listed ? continueKey(doc.userId, resume.at) : null }
}

const NO_STOP = { resume: null, client: null }
