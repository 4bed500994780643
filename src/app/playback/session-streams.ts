/** What playback sessions need of the streaming engine. */
import type { SessionId } from '../../vocabulary/id.ts'
import type { StreamOptions } from '../../vocabulary/stream-options.ts'
import type { FileDocument } from '../../../projections/views/files.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import type { EncoderChoice } from '../../domain/playback/playback.ts'
import type { PlayableSession, PlayDecision, Quality } from './playback-types.ts'

/** What can be streamed of a file, as the streaming engine says. */
export interface StreamOffer {
  readonly decision: PlayDecision
  readonly qualities: readonly Quality[]
  readonly audio: PlayableSession['audio']
  readonly subtitles: PlayableSession['subtitles']
  readonly burnable: PlayableSession['burnable']
}

export interface SessionStreams {
  /** The same terms always give the same offer. */
  offer(file: FileDocument, terms: StreamOptions): Promise<StreamOffer>
  /** Starts what the player will ask for first, where it is still wanted once that is known. */
  prewarm(file: FileDocument, start: PlaybackStart): void
  /** Why a session's stream stands still at the moment, as far as this node knows. */
  problem(sessionId: SessionId): string | null
  /** What a new session's pictures are made with, of what the transcoders have; a missing member is what `StreamOptions` says of it. */
  means(): Pick<StreamOptions, 'encoder' | 'toneMapping'>
  /** What to make a session's pictures with from now on, where its stream stands still because no transcoder has what it began with. */
  replacementEncoder(session: SessionDocument): EncoderChoice | undefined
  /** The session is over: what runs for it alone stops. */
  leave(sessionId: SessionId): void
}

export interface PlaybackStart {
  readonly positionMs: number
  readonly sessionId: SessionId
  readonly wanted: () => boolean
  readonly terms: StreamOptions
  /** Name of the quality that the player will ask for first. */
  readonly quality?: string
}
