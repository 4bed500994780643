/**
 * Live events about the history: a complete viewing, and changed figures, so that a client with charts reloads them. A playback is in the
 * history from its start on, counts as completed once enough was played, and is complete at its end. In between its figures grow without
 * events.
 */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { derivedId } from '../../events/derived-id.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import type { MovieId, SessionId, UserId, ViewingId } from '../../vocabulary/id.ts'
import type { LiveEvent } from './live-event.ts'

type Source = 'playback' | 'manual' | 'import'

interface Added {
  readonly id: SessionId | ViewingId
  readonly userId: UserId
  readonly movieId: MovieId
  readonly source: Source
}

export function ofHistory(event: RecordedEvent): readonly LiveEvent[] {
  switch (event.type) {
    case 'PlaybackStarted':
    case 'MovieCompleted':
      return [figuresChanged(event.data.userId, event.data.sessionId)]
    case 'PlaybackEnded':
    case 'PlaybackExpired':
      return added({ ...event.data, id: event.data.sessionId, source: 'playback' })
    case 'MovieMarkedWatched':
      return event.data.again ? [] : added({ ...event.data, id: derivedId('viewing', event.id), source: 'manual' })
    case 'WatchImported':
      return added({ ...event.data, id: event.data.viewingId, source: 'import' })
    case 'WatchImportUndone':
      return [figuresChanged(event.data.userId)]
    case 'HistoryHidden':
      return [figuresChanged(event.data.userId, event.data.viewingId)]
    default:
      return []
  }
}

const added = ({ id, userId, movieId, source }: Added): readonly LiveEvent[] => [
  { kind: 'history.added', audience: { to: 'player', userId }, payload: { id, movieId, source } },
  figuresChanged(userId, id),
]

/** The hour of the viewing is added once it is known. */
const figuresChanged = (userId: UserId, viewingId?: SessionId | ViewingId): LiveEvent => ({
  kind: 'analytics.changed',
  audience: { to: 'player', userId },
  payload: { userId, hour: null },
  ...omitUndefined({ viewingId }),
})
