/** Playback: sessions from start to end, and the list of what to go on with. */
import type { PlayerCommand, PlayState } from '../../events/playback-events.ts'
import type { CommandId, SessionId, UserId } from '../../vocabulary/id.ts'
import type { Chapter } from '../../vocabulary/media-description.ts'
import type { StreamOptions } from '../../vocabulary/stream-options.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import type { UserMovieDocument } from '../../../projections/views/user-movies.ts'
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
  /** Name of the quality that the player will ask for first. */
  readonly quality?: string
}

export interface Quality {
  /** `original`, `1080p`, ... */
  readonly name: string
  readonly height: number
  readonly bitrateBps: number
  readonly method: 'direct' | 'remux' | 'transcode'
}

/** Names of methods and reasons as `domain/streaming/decision.ts` has them. */
export interface PlayDecision {
  readonly method: 'direct' | 'remux' | 'transcode-audio' | 'transcode'
  readonly reasons: readonly string[]
  readonly rejected: readonly { readonly method: PlayDecision['method']; readonly reasons: readonly string[] }[]
}

/** A session with all that a player is told at its start. */
export interface PlayableSession {
  readonly session: SessionDocument
  /** Why its stream stands still at the moment; null: nothing is known to be wrong. */
  readonly problem: string | null
  /** The resume point stored before this session, or null. */
  readonly resumePositionMs: number | null
  /** How the film is to be played, and why not in a cheaper way. */
  readonly decision: PlayDecision
  readonly qualities: readonly Quality[]
  /** `index` names a subtitle in URLs. */
  readonly subtitles: readonly SubtitleEntry[]
  /** What can be drawn into the picture. */
  readonly burnable: readonly BurnableSubtitle[]
  readonly audio: readonly { readonly language: string | null; readonly codec: string; readonly channels: number }[]
  /** Of the file, in their order. */
  readonly chapters: readonly Chapter[]
  /** What its sound is raised by, dB; null: it is as loud as in the film. */
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
  /** The last command that the player has carried out. */
  readonly lastCommandId?: string
}

/** A session after a heartbeat. */
export interface SessionAfterHeartbeat extends Pick<PlayableSession, 'session' | 'problem'> {
  /** Oldest first. */
  readonly commands: readonly IssuedCommand[]
}

/** A command as the player gets it. */
export interface IssuedCommand {
  readonly id: CommandId
  readonly command: PlayerCommand
  /** Null, too, if its key is destroyed. */
  readonly message: string | null
}

/** What an administrator tells a player. */
export interface PlayerOrder {
  readonly command: Exclude<PlayerCommand, 'reload'>
  /** For the person who watches. */
  readonly message: string | null
}

export interface ContinueItem {
  readonly movie: MovieDocument
  readonly own: UserMovieDocument
  /** Device or client name of the session that set the point, opened; null when unknown. */
  readonly device: string | null
}

export interface ActiveSession extends PlayableSession {
  readonly user: { readonly id: UserId; readonly name: string }
  readonly movie: MovieForUser
}

export interface Playback {
  /** Refusals: `not-found`, `invalid` (`startPosition`, `audioIndex`, `subtitleIndex`), `unavailable` (the file is away), `conflict` (stream limit). */
  start(caller: Caller, request: NewSession, origin: RequestOrigin): Promise<PlayableSession | Refusal>
  /** Refusals of the commands on a session: `not-found` (unknown, ended, idle), `forbidden` (another user's), `invalid` (`position`), `unavailable`. */
  heartbeat(caller: Caller, id: string, beat: Heartbeat, origin: RequestOrigin): Promise<SessionAfterHeartbeat | Refusal>
  seek(caller: Caller, id: string, positionMs: number, origin: RequestOrigin): Promise<PlayableSession | Refusal>
  /** `positionMs`: where the player stopped; it counts like a last heartbeat. */
  end(caller: Caller, id: string, origin: RequestOrigin, positionMs?: number): Promise<void | Refusal>
  /**
   * Ends anybody's session (admins only, checked by the route); its player is told to stop, with the message. Refusals: `not-found`,
   * `unavailable`.
   */
  terminate(caller: Caller, id: string, ask: { readonly message: string | null; readonly origin: RequestOrigin }): Promise<void | Refusal>
  /** Tells anybody's player something (admins only, checked by the route). Refusals: `not-found`, `unavailable`. */
  command(
    caller: Caller,
    id: string,
    ask: { readonly order: PlayerOrder; readonly origin: RequestOrigin },
  ): Promise<IssuedCommand | Refusal>
  /** The session's player was given a master playlist: its token is good for another four hours. */
  masterGiven(this: void, id: SessionId): void
  get(caller: Caller, id: string): Promise<PlayableSession | Refusal>
  /** Anybody's session (admins only, checked by the route), as `active` lists it. Refusals: `not-found`, `unavailable`. */
  inspect(caller: Caller, id: string): Promise<ActiveSession | Refusal>
  /** Newest first. `everyone`: all users' (admins only, checked by the route). */
  active(caller: Caller, page: PageRequest, everyone: boolean): Promise<ListPage<ActiveSession>>
  /** `past`: documents as they were at some time; what is visible is judged as of now. */
  continueWatching(caller: Caller, page: PageRequest, past?: ReadModels): Promise<ListPage<ContinueItem>>
  dismiss(caller: Caller, movieId: string, origin: RequestOrigin): Promise<void | Refusal>
}
