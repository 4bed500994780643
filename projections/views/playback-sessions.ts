/** View `playback_sessions`: one document per session that has not ended. */
import { omitUndefined } from '../../src/vocabulary/omit-undefined.ts'
import { acknowledged, issued } from '../../src/vocabulary/playback-commands.ts'
import type { PlayerCommand, PlayMethod, PlayState } from '../../src/events/playback-events.ts'
import type { CommandId, FileId, LibraryId, LoginId, MovieId, SessionId, UserId } from '../../src/vocabulary/id.ts'
import type { Position } from '../../src/events/position.ts'
import type { Sealed } from '../../src/events/sealed.ts'
import type { StreamOptions } from '../../src/vocabulary/stream-options.ts'
import { operations, type View } from './view.ts'

export interface SessionDocument extends StreamOptions {
  readonly id: SessionId
  readonly userId: UserId
  readonly loginId: LoginId
  readonly movieId: MovieId
  readonly libraryId: LibraryId
  readonly fileId: FileId
  /** Fingerprint of the file's content at the start; missing for sessions that the first releases started. */
  readonly fingerprint?: string
  readonly client: Sealed | null
  readonly method: PlayMethod
  readonly playState: PlayState
  readonly positionMs: number
  readonly durationMs: number
  readonly createdAt: string
  /** Position of its start in the log, which decides which of two sessions started first. */
  readonly logPosition: Position
  /** Time of the last heartbeat; the start counts as one. */
  readonly beatAt: string
  readonly idleSeconds: number
  /** Commands pending for the player, oldest first. */
  readonly commands: readonly SessionCommand[]
  /** When the player was last asked to reload its playlists; the start counts as one. */
  readonly reloadAt: string
}

export interface SessionCommand {
  readonly id: CommandId
  readonly command: PlayerCommand
  readonly message: Sealed | null
}

const { put, change } = operations<SessionDocument>()

export const playbackSessions: View<SessionDocument> = {
  name: 'playback_sessions',
  version: 4,
  fields: {},
  indexes: [],
  handles: {
    PlaybackStarted: ({ data, at, position }) => {
      const { sessionId, reasons: _, ...session } = data
      const begun = { playState: 'paused', createdAt: at, logPosition: position, beatAt: at, commands: [], reloadAt: at } as const
      return put(sessionId, { id: sessionId, ...session, ...begun })
    },
    PlaybackHeartbeat: ({ data, at }) =>
      change(data.sessionId, (session) => ({
        ...session,
        positionMs: data.positionMs,
        playState: data.playState,
        beatAt: at,
        commands: acknowledged(session.commands, data.lastCommandId),
      })),
    PlaybackSeeked: ({ data }) => change(data.sessionId, (session) => ({ ...session, positionMs: data.positionMs })),
    PlaybackEncoderChanged: ({ data: { sessionId, encoder, toneMapping } }) =>
      change(sessionId, (session) => ({ ...session, encoder, ...omitUndefined({ toneMapping }) })),
    PlaybackCommandIssued: ({ data: { sessionId, commandId: id, command, message }, at }) =>
      change(sessionId, (session) => ({
        ...session,
        commands: issued(session.commands, { id, command, message }),
        reloadAt: command === 'reload' ? at : session.reloadAt,
      })),
    PlaybackEnded: ({ data }) => change(data.sessionId, () => null),
    PlaybackExpired: ({ data }) => change(data.sessionId, () => null),
  },
}
