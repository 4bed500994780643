/** Events of a user's actions on a movie (`watched-<user>_<movie>`) and of playback sessions (`playback-<session>`). */
import type { CommandId, FileId, LibraryId, LoginId, MovieId, SessionId, UserId } from '../vocabulary/id.ts'
import type { Encoder } from '../vocabulary/encoder.ts'
import type { Resolution } from '../vocabulary/resolution.ts'
import type { StreamOptions } from '../vocabulary/stream-options.ts'
import type { ToneMapping } from '../vocabulary/tone-mapper.ts'
import type { Sealed } from './sealed.ts'

export type PlayState = 'playing' | 'paused' | 'buffering'
export type EndReason = 'client' | 'admin' | 'signed_out' | 'access_revoked' | 'library_deleted' | 'user_disabled'
export type PlayerCommand = 'pause' | 'stop' | 'message' | 'reload'
export type PlayMethod = 'direct' | 'remux' | 'transcode'

export interface PlaybackEvents {
  // watched-<user>_<movie>
  /** `again`: it was already watched, and the mark only clears the resume point. */
  MovieMarkedWatched: Partial<MovieThen> & {
    readonly userId: UserId
    readonly movieId: MovieId
    readonly watchedAt: string
    readonly again?: true
  }
  MovieMarkedUnwatched: { readonly userId: UserId; readonly movieId: MovieId }
  MovieCompleted: { readonly userId: UserId; readonly movieId: MovieId; readonly sessionId: SessionId; readonly completedAt: string }
  /** A resume point set by hand. */
  ResumePointSet: {
    readonly userId: UserId
    readonly movieId: MovieId
    readonly fileId: FileId
    readonly positionMs: number
    readonly durationMs: number
  }
  /** Removed from the "continue watching" list; `cleared`: the resume point is deleted too. */
  ResumePointDismissed: { readonly userId: UserId; readonly movieId: MovieId; readonly cleared?: boolean }
  MovieWatchlisted: { readonly userId: UserId; readonly movieId: MovieId }
  MovieUnwatchlisted: { readonly userId: UserId; readonly movieId: MovieId }

  // playback-<session>
  PlaybackStarted: Playback &
    StreamOptions &
    Partial<Pick<MovieThen, 'title' | 'year'>> & {
      readonly loginId: LoginId
      readonly libraryId: LibraryId
      readonly fileId: FileId
      /** Fingerprint of the file's content, which the session belongs to. Missing in events of the first releases. */
      readonly fingerprint?: string
      readonly positionMs: number
      readonly durationMs: number
      readonly client: Sealed | null
      /** Digest of the client's name with the key of the user (src/app/commands/sealer.ts): equal for equal names. */
      readonly clientKey?: string
      /** Resolution of the video in the file. */
      readonly resolution?: Resolution | null
      /** The quality that the player asked for, else the best one offered to it. */
      readonly quality?: string | null
      readonly method: PlayMethod
      readonly reasons: readonly string[]
      readonly idleSeconds: number
    }
  PlaybackAdopted: { readonly sessionId: SessionId; readonly node: string; readonly token: number }
  PlaybackHeartbeat: Playback & {
    readonly fileId: FileId
    readonly positionMs: number
    readonly durationMs: number
    readonly playState: PlayState
    readonly rate: number
    readonly sequence: number | null
    /** The last command that the player has carried out; only if one was outstanding. */
    readonly lastCommandId?: CommandId
  }
  PlaybackSeeked: Playback & { readonly fileId: FileId; readonly fromMs: number; readonly positionMs: number; readonly durationMs: number }
  /** No encoder can continue with the session's original settings, so they change from here on. `toneMapping`: missing if it stays. */
  PlaybackEncoderChanged: Playback & { readonly encoder: Encoder; readonly toneMapping?: ToneMapping }
  /** Sent with the replies to the player's heartbeats until it acknowledges the command. `message`: sealed text for the viewer. */
  PlaybackCommandIssued: Playback & {
    readonly commandId: CommandId
    readonly command: PlayerCommand
    readonly message: Sealed | null
  }
  PlaybackEnded: Playback & {
    readonly fileId: FileId
    readonly reason: EndReason
    readonly positionMs: number
    readonly durationMs: number
    /** Whether the player reported a position in this session. */
    readonly told: boolean
  }
  /** `expiredAt`: the last heartbeat plus the idle time, whenever the expiry was detected. */
  PlaybackExpired: Playback & { readonly expiredAt: string; readonly positionMs: number }
}

/** The movie's title and year at that time. Missing in events of the first releases. */
interface MovieThen {
  readonly libraryId: LibraryId
  readonly title: string
  readonly year: number | null
}

interface Playback {
  readonly sessionId: SessionId
  readonly userId: UserId
  readonly movieId: MovieId
}
