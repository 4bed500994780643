/** The interface that playback sessions need from the streaming engine. */
import type { SessionId } from '../../vocabulary/id.ts'
import type { StreamOptions } from '../../vocabulary/stream-options.ts'
import type { FileDocument } from '../../../projections/views/files.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import type { EncoderChoice } from '../../domain/playback/playback.ts'
import type { PlayableSession, PlayDecision, Quality } from './playback-types.ts'

/** The streams of a file, as the streaming engine offers them. */
export interface StreamOffer {
  readonly decision: PlayDecision
  readonly qualities: readonly Quality[]
  readonly audio: PlayableSession['audio']
  readonly subtitles: PlayableSession['subtitles']
  readonly burnable: PlayableSession['burnable']
}

export interface SessionStreams {
  /** The same options always give the same offer to a session; `startedAt`: its start, missing if it is only about to start. */
  offer(file: FileDocument, options: StreamOptions, startedAt?: string): Promise<StreamOffer>
  /** Starts the work that the player will request first, if the session still exists when the plan is ready. */
  prewarm(file: FileDocument, start: PlaybackStart): void
  /** Why a session's stream is stalled at the moment, as far as this node knows. */
  problem(sessionId: SessionId): string | null
  /** Encoder and tone-mapping for a new session, by the current transcoders; a missing member means the default in `StreamOptions`. */
  currentEncoders(): Pick<StreamOptions, 'encoder' | 'toneMapping'>
  /** Another encoder for a session whose stream is stalled because no transcoder has the current one any more. */
  replacementEncoder(session: SessionDocument): EncoderChoice | undefined
  /** The session has ended: runs that only it needed are stopped. */
  leave(sessionId: SessionId): void
}

export interface PlaybackStart {
  readonly positionMs: number
  readonly sessionId: SessionId
  readonly startedAt: string
  readonly wanted: () => boolean
  readonly options: StreamOptions
  /** Name of the quality that the player will request first. */
  readonly quality?: string
}
