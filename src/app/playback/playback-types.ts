/** Types of the playback service: sessions from start to end, and the continue-watching list. */
import type { PlayerCommand, PlayState } from '../../events/playback-events.ts'
import type { CommandId, SessionId, UserId } from '../../vocabulary/id.ts'
import type { AudioTrack, Chapter } from '../../vocabulary/media-description.ts'
import type { StreamOptions } from '../../vocabulary/stream-options.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import type { ResumePoint, UserMovieDocument } from '../../../projections/views/user-movies.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { AskedGain } from '../../domain/streaming/audio-gain.ts'
import type { BurnableSubtitle } from '../../domain/streaming/burn-in.ts'
import type { AskedSubtitle } from './burn-in-choice.ts'
import type { Caller, RequestOrigin } from '../access/caller.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { MovieForUser } from '../movies/list-sources.ts'
import type { ListPage, PageRequest } from '../read-models/page.ts'

export interface ClientName {
  readonly name: string | null
  readonly version: string | null
  readonly device: string | null
  readonly deviceId: string | null
}

export interface NewSession extends Pick<StreamOptions, 'capabilities' | 'audioIndex'>, AskedSubtitle {
  readonly audioGain?: AskedGain
  readonly movieId: string
  readonly fileId?: string
  readonly startPositionMs?: number
  readonly client?: ClientName
  /** Name of the quality that the player will request first. */
  readonly quality?: string
}

export interface Quality {
  /** `original`, `1080p`, ... */
  readonly name: string
  readonly height: number
  readonly bitrateBps: number
  readonly method: 'direct' | 'remux' | 'transcode'
}

/** Names of methods and reasons as in `domain/streaming/decision.ts`. */
export interface PlayDecision {
  readonly method: 'direct' | 'remux' | 'transcode-audio' | 'transcode'
  readonly reasons: readonly string[]
  readonly rejected: readonly { readonly method: PlayDecision['method']; readonly reasons: readonly string[] }[]
}

/** A session with everything that a player needs at its start. */
export interface PlayableSession {
  readonly session: SessionDocument
  /** Why its stream is stalled at the moment, or over because its file was replaced; null if no problem is known. */
  readonly problem: string | null
  /** The resume point stored before this session, or null. */
  readonly resumePositionMs: number | null
  /** The chosen method, and the obstacles to cheaper ones. */
  readonly decision: PlayDecision
  readonly qualities: readonly Quality[]
  /** `index` names a subtitle in URLs. */
  readonly subtitles: readonly SubtitleEntry[]
  /** Subtitles that can be burned into the video. */
  readonly burnable: readonly BurnableSubtitle[]
  /** `default`: the film plays it unless another one is chosen. */
  readonly audio: readonly (Pick<AudioTrack, 'language' | 'codec' | 'channels'> & { readonly default: boolean })[]
  /** Chapters of the file, in order. */
  readonly chapters: readonly Chapter[]
  /** Gain of its audio, dB; null if it is unchanged. */
  readonly audioGainDb: number | null
  readonly hasTrickplay: boolean
}

export interface SubtitleEntry {
  readonly index: number
  readonly language: string | null
  readonly title: string | null
  readonly forced: boolean
  readonly default: boolean
}

export interface Heartbeat {
  readonly positionMs: number
  readonly playState?: PlayState
  readonly rate?: number
  readonly sequence?: number
  /** The last command that the player has executed. */
  readonly lastCommandId?: string
}

/** A session after a heartbeat. */
export interface SessionAfterHeartbeat extends Pick<PlayableSession, 'session' | 'problem'> {
  /** Oldest first. */
  readonly commands: readonly IssuedCommand[]
}

/** A command as the player receives it. */
export interface IssuedCommand {
  readonly id: CommandId
  readonly command: PlayerCommand
  /** Also null if its key was destroyed. */
  readonly message: string | null
}

/** An administrator's command to a player. */
export interface PlayerOrder {
  readonly command: Exclude<PlayerCommand, 'reload'>
  /** For the viewer. */
  readonly message: string | null
}

export interface ContinueItem {
  readonly movie: MovieDocument
  readonly own: UserMovieDocument
  /** Where to go on in a version that is available, before 90 % of it. */
  readonly point: Pick<ResumePoint, 'fileId' | 'positionMs' | 'durationMs'>
  /** Device or client name of the session that set the point, decrypted; null if unknown. */
  readonly device: string | null
}

export interface ActiveSession extends PlayableSession {
  /** Its device, or else its program; null if the client gave neither. */
  readonly device: string | null
  readonly user: { readonly id: UserId; readonly name: string }
  readonly movie: MovieForUser
}

export interface Playback {
  /**
   * Refusals: `not-found`, `invalid` (`startPosition`, `audioIndex`, `subtitleIndex`), `unavailable` (the file is offline), `conflict`
   * (stream limit).
   */
  start(caller: Caller, request: NewSession, origin: RequestOrigin): Promise<PlayableSession | Refusal>
  /** Whether the caller sees the movie today. Refusal: `not-found`, as that of `start`. */
  mayPlay(caller: Caller, movieId: string): Promise<void | Refusal>
  /**
   * Refusals of the commands on a session: `not-found` (unknown, ended, idle), `forbidden` (another user's), `invalid` (`position`),
   * `unavailable`.
   */
  heartbeat(caller: Caller, id: string, beat: Heartbeat, origin: RequestOrigin): Promise<SessionAfterHeartbeat | Refusal>
  seek(caller: Caller, id: string, positionMs: number, origin: RequestOrigin): Promise<PlayableSession | Refusal>
  /** `positionMs`: where the player stopped; it counts like a last heartbeat. */
  end(caller: Caller, id: string, origin: RequestOrigin, positionMs?: number): Promise<void | Refusal>
  /**
   * Ends any user's session (admins only, checked by the route); its player receives a stop command with the message. Refusals:
   * `not-found`, `unavailable`.
   */
  terminate(caller: Caller, id: string, ask: { readonly message: string | null; readonly origin: RequestOrigin }): Promise<void | Refusal>
  /** Sends a command to any user's player (admins only, checked by the route). Refusals: `not-found`, `unavailable`. */
  command(
    caller: Caller,
    id: string,
    ask: { readonly order: PlayerOrder; readonly origin: RequestOrigin },
  ): Promise<IssuedCommand | Refusal>
  /** The session's player has received a master playlist: its token is valid for another four hours. */
  masterGiven(this: void, id: SessionId): void
  get(caller: Caller, id: string): Promise<PlayableSession | Refusal>
  /** Any user's session (admins only, checked by the route), in the form of `active`. Refusals: `not-found`, `unavailable`. */
  inspect(caller: Caller, id: string): Promise<ActiveSession | Refusal>
  /** Newest first. `everyone`: sessions of all users (admins only, checked by the route). */
  active(caller: Caller, page: PageRequest, everyone: boolean): Promise<ListPage<ActiveSession>>
  /** `past`: documents as of an earlier time; visibility follows current permissions. */
  continueWatching(caller: Caller, page: PageRequest, past?: ReadModels): Promise<ListPage<ContinueItem>>
  dismiss(caller: Caller, movieId: string, origin: RequestOrigin): Promise<void | Refusal>
}
