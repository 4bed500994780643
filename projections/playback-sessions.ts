/** View `playback_sessions`: one document a session that is not ended. */
import type { PlayMethod, PlayState } from '../src/events/playback-events.ts'
import type { FileId, LibraryId, LoginId, MovieId, SessionId, UserId } from '../src/events/id.ts'
import type { Sealed } from '../src/events/sealed.ts'
import { operations, type View } from './view.ts'

export interface SessionDocument {
  readonly id: SessionId
  readonly userId: UserId
  readonly loginId: LoginId
  readonly movieId: MovieId
  readonly libraryId: LibraryId
  readonly fileId: FileId
  readonly client: Sealed | null
  readonly method: PlayMethod
  readonly playState: PlayState
  readonly positionMs: number
  readonly durationMs: number
  readonly createdAt: string
  /** Time of the last heartbeat; creation counts as one. */
  readonly beatAt: string
  readonly idleSeconds: number
}

const { put, change } = operations<SessionDocument>()

export const playbackSessions: View<SessionDocument> = {
  name: 'playback_sessions',
  version: 1,
  fields: {},
  indexes: [],
  handles: {
    PlaybackStarted: ({ data, at }) => {
      const { sessionId, reasons: _, ...session } = data
      return put(sessionId, { id: sessionId, ...session, playState: 'paused', createdAt: at, beatAt: at })
    },
    PlaybackHeartbeat: ({ data, at }) =>
      change(data.sessionId, (session) => ({ ...session, positionMs: data.positionMs, playState: data.playState, beatAt: at })),
    PlaybackSeeked: ({ data }) => change(data.sessionId, (session) => ({ ...session, positionMs: data.positionMs })),
    PlaybackEnded: ({ data }) => change(data.sessionId, () => null),
    PlaybackExpired: ({ data }) => change(data.sessionId, () => null),
  },
}
