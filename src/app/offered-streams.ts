/** What playback sessions need of the streaming engine. */
import type { SessionId } from '../events/id.ts'
import type { StreamTerms } from '../events/stream-terms.ts'
import type { FileDocument } from '../../projections/files.ts'
import type { SessionDocument } from '../../projections/playback-sessions.ts'
import type { Means } from '../domain/playback.ts'
import type { PlayableSession, PlayDecision, Quality } from './playback.ts'

/** What can be streamed of a file, as the streaming engine says. */
export interface StreamOffer {
  readonly decision: PlayDecision
  readonly qualities: readonly Quality[]
  readonly audio: PlayableSession['audio']
  readonly subtitles: PlayableSession['subtitles']
  readonly burnable: PlayableSession['burnable']
}

export interface OfferedStreams {
  /** The same terms always give the same offer. */
  offer(file: FileDocument, terms: StreamTerms): Promise<StreamOffer>
  /** Starts what the player will ask for first, where it is still wanted once that is known. */
  prewarm(file: FileDocument, start: PlaybackStart): void
  /** Why a session's stream stands still at the moment, as far as this node knows. */
  problem(sessionId: SessionId): string | null
  /** How the pictures of a new session are made, by what the transcoders have; without those members as every session's were once. */
  means(): Pick<StreamTerms, 'encoder' | 'toneMapping'>
  /** How to make a session's pictures from now on, where its stream stands still since nobody makes them any more as it began. */
  meansInstead(session: SessionDocument): Means | undefined
  /** The session is over: what runs for it alone stops. */
  leave(sessionId: SessionId): void
}

export interface PlaybackStart {
  readonly positionMs: number
  readonly sessionId: SessionId
  readonly wanted: () => boolean
  readonly terms: StreamTerms
  /** Name of the quality that the player will ask for first. */
  readonly quality?: string
}
