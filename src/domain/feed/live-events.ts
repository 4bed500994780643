/**
 * Translates recorded events into live events, and defines their audiences. A pure table: the result is the same for a new event and for a
 * replay from the log.
 */
import { isResumable } from '../../vocabulary/resume-range.ts'
import type { JsonObject } from '../../events/envelope.ts'
import type { LibraryId, MovieId, ScanId, UserId } from '../../vocabulary/id.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import { sees, type Viewer } from '../access/visibility.ts'
import { ofHistory } from './history-events.ts'
import type { LiveEvent } from './live-event.ts'

export interface Listener extends Viewer {
  readonly userId: UserId
}

/** Whether the listener may get it. `library`: the movie's library, if the event concerns a movie and the library is known. */
export function isFor(
  listener: Listener,
  { audience }: LiveEvent,
  about: { readonly visible: boolean; readonly admin: boolean; readonly everyone: boolean },
): boolean {
  switch (audience.to) {
    case 'granted':
      return sees(listener, audience.libraryId)
    case 'user':
      return audience.userId === listener.userId && (audience.movieId === null || about.visible)
    case 'player':
      return audience.userId === listener.userId || (about.everyone && about.admin)
    case 'admins':
      return about.admin
    default:
      return about.visible
  }
}

export function liveEventsOf(event: RecordedEvent): readonly LiveEvent[] {
  const one = ofLibrary(event) ?? ofScan(event) ?? ofMovie(event) ?? ofMarks(event) ?? ofPlayback(event)
  return [...(one ? [one] : [...ofImports(event), ...ofUser(event)]), ...ofHistory(event)]
}

export const seconds = (ms: number) => Math.round(ms) / 1000

function ofLibrary(event: RecordedEvent): LiveEvent | undefined {
  const about = (kind: string, libraryId: LibraryId, to: 'library' | 'granted' = 'library'): LiveEvent => ({
    kind: `library.${kind}`,
    audience: { to, libraryId },
    payload: { libraryId },
  })
  switch (event.type) {
    case 'LibraryCreated':
    // For clients that received its removal, a restored library is a new one.
    case 'LibraryRestored':
      return about('created', event.data.libraryId)
    case 'LibraryRenamed':
    case 'LibraryRootAdded':
    case 'LibraryRootRemoved':
    case 'LibrarySettingsChanged':
      return about('updated', event.data.libraryId)
    case 'LibraryRemoved':
      return about('deleted', event.data.libraryId, 'granted')
    case 'LibraryWentOffline':
      return about('offline', event.data.libraryId)
    case 'LibraryCameOnline':
      return about('online', event.data.libraryId)
    case 'LibraryMassMissing':
      return about('massMissing', event.data.libraryId)
    default:
      return undefined
  }
}

function ofScan(event: RecordedEvent): LiveEvent | undefined {
  const about = (kind: string, { libraryId, scanId }: { readonly libraryId: LibraryId; readonly scanId: ScanId }): LiveEvent => ({
    kind: `scan.${kind}`,
    audience: { to: 'library', libraryId },
    payload: {},
    scanId,
  })
  switch (event.type) {
    case 'ScanStarted':
      return about('started', event.data)
    case 'ScanProgressed':
      return about('progress', event.data)
    case 'ScanCompleted':
      return about('completed', event.data)
    case 'ScanFailed':
    case 'ScanInterrupted':
      return about('failed', event.data)
    case 'ScanCancelled':
      return about('cancelled', event.data)
    default:
      return undefined
  }
}

/** The movie's library is added to the payload once it is known. */
function ofMovie(event: RecordedEvent): LiveEvent | undefined {
  const about = (kind: string, movieId: MovieId): LiveEvent => ({
    kind: `movie.${kind}`,
    audience: { to: 'movie', movieId },
    payload: { movieId },
  })
  switch (event.type) {
    case 'MovieDiscovered':
      return about('added', event.data.movieId)
    case 'MovieIdentified':
    case 'MovieEdited':
    case 'MovieMatchPinned':
    case 'MovieMatchedOnline':
    case 'MovieUnmatchedOnline':
    case 'MovieArtworkChosen':
    case 'MovieFileAdded':
    case 'MovieFileMoved':
    case 'MovieFileReplaced':
    case 'MovieProbed':
    case 'MovieImagesTinted':
      return about('updated', event.data.movieId)
    case 'TrickplayMade':
      return { kind: 'trickplay.ready', audience: { to: 'movie', movieId: event.data.movieId }, payload: { movieId: event.data.movieId } }
    case 'MovieFileMissing':
      return about('missing', event.data.movieId)
    case 'MovieFileReturned':
      return about('restored', event.data.movieId)
    default:
      return undefined
  }
}

const own = (kind: string, { userId, movieId }: { readonly userId: UserId; readonly movieId: MovieId }, more: JsonObject): LiveEvent => ({
  kind,
  audience: { to: 'user', userId, movieId },
  payload: { movieId, ...more },
})

function ofMarks(event: RecordedEvent): LiveEvent | undefined {
  switch (event.type) {
    case 'MovieMarkedWatched':
      return own('movie.watched', event.data, { watchedAt: event.data.watchedAt })
    case 'MovieCompleted':
      return own('movie.watched', event.data, { watchedAt: event.data.completedAt })
    case 'MovieMarkedUnwatched':
      return own('movie.unwatched', event.data, { watchedAt: null })
    case 'ResumePointSet': {
      const { positionMs, durationMs } = event.data
      return own('resume.changed', event.data, { position: isResumable(positionMs, durationMs) ? seconds(positionMs) : 0 })
    }
    case 'ResumePointDismissed':
      // It only leaves the list: the position is unchanged, and not in the event.
      return own('resume.changed', event.data, { position: event.data.cleared === true ? 0 : null })
    case 'MovieWatchlisted':
      return own('watchlist.changed', event.data, { watchlist: true })
    case 'MovieUnwatchlisted':
      return own('watchlist.changed', event.data, { watchlist: false })
    default:
      return undefined
  }
}

/**
 * The mark, if it changed, and then the resume point: which one is left depends on the times of all viewings. Without a position among the
 * imported viewings it can only be that of another viewing, if there is one.
 */
function ofImports(event: RecordedEvent): readonly LiveEvent[] {
  if (event.type !== 'WatchImported' && event.type !== 'WatchImportUndone') return []
  const { data } = event
  const { watchedAt } = data.outcome
  const [complete, stopped] =
    event.type === 'WatchImported'
      ? [event.data.left === null, event.data.left !== null]
      : [event.data.viewingIds.length > event.data.leftAt.length, event.data.leftAt.length > 0]
  const mark = own(watchedAt === null ? 'movie.unwatched' : 'movie.watched', data, { watchedAt })
  const resume = { ...own('resume.changed', data, { position: 0 }), resume: stopped ? 'always' : 'if-any' } as const
  // Events of earlier versions have no `sameMark`; without a complete viewing the mark is always the same.
  return [...(complete && data.sameMark !== true ? [mark] : []), resume]
}

function ofPlayback(event: RecordedEvent): LiveEvent | undefined {
  switch (event.type) {
    case 'PlaybackStarted':
      return played('started', event.data)
    case 'PlaybackHeartbeat':
      return played('progress', event.data, { playState: event.data.playState })
    case 'PlaybackSeeked':
      return played('seeked', event.data)
    case 'PlaybackCommandIssued': {
      // The message is sealed; the sender decrypts it.
      const { sessionId, userId, commandId, command } = event.data
      return { kind: 'playback.command', audience: { to: 'player', userId }, payload: { sessionId, commandId, command, message: null } }
    }
    case 'PlaybackEnded':
      return played('ended', event.data, { endReason: event.data.reason })
    case 'PlaybackExpired':
      return played('ended', event.data, { endReason: 'idle' })
    default:
      return undefined
  }
}

type Played = Extract<RecordedEvent, { readonly type: 'PlaybackStarted' | 'PlaybackExpired' }>['data']

const played = (
  kind: string,
  { sessionId, userId, movieId, positionMs }: Pick<Played, 'sessionId' | 'userId' | 'movieId' | 'positionMs'>,
  more: JsonObject = {},
): LiveEvent => ({
  kind: `playback.${kind}`,
  audience: { to: 'player', userId },
  payload: { sessionId, userId, movieId, position: seconds(positionMs), ...more },
})

function ofUser(event: RecordedEvent): readonly LiveEvent[] {
  const account = (kind: string, userId: UserId): LiveEvent => ({
    kind: `user.${kind}`,
    audience: { to: 'admins' },
    payload: { userId },
  })
  const own = (kind: string, userId: UserId): LiveEvent => ({ kind, audience: { to: 'user', userId, movieId: null }, payload: {} })
  switch (event.type) {
    case 'UserRegistered':
      return [account('created', event.data.userId)]
    case 'UserProfileChanged':
    case 'UserEmailChanged':
    case 'UserStreamLimitChanged':
    case 'UserDisabled':
    case 'UserEnabled':
    case 'IdentityLinked':
    case 'IdentityUnlinked':
    case 'LinkConsentGiven':
    case 'LinkConsentWithdrawn':
      return [account('updated', event.data.userId)]
    case 'UserRoleChanged':
    case 'UserAccessChanged':
      return [account('updated', event.data.userId), own('access.changed', event.data.userId)]
    case 'UserPreferencesChanged':
      return [own('preferences.changed', event.data.userId)]
    case 'UserRemoved':
    case 'UserErased':
      return [account('deleted', event.data.userId)]
    default:
      return []
  }
}
