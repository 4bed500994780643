/**
 * Sessions that this node does not see. One that was begun on another node a moment ago may not have been heard of here: that is "not
 * yet", since a player that is told that there is no such session gives up.
 */
import { parseId } from '../../vocabulary/id.ts'
import { playbackStream } from '../../events/streams.ts'
import { isLive, playback } from '../../domain/playback/playback.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { Access } from '../access/access.ts'
import type { CommandHandler } from '../commands/command-handler.ts'
import { NO_SUCH_SESSION } from '../../domain/playback/refusals.ts'

/** Why there is no session of that id. */
export type ExplainMissing = (id: string) => Promise<Refusal>

const NOT_YET = refuse('unavailable', 'This server has not heard of the session yet: try again', { retryAfterSeconds: 1 })

/** Where there are no other nodes, every session is known. */
export const explainMissingAlone: ExplainMissing = async () => NO_SUCH_SESSION

export function createExplainMissing({
  access,
  commandHandler,
}: {
  readonly access: Pick<Access, 'idle' | 'sessions'>
  readonly commandHandler: Pick<CommandHandler, 'load'>
}): ExplainMissing {
  return async (id) => {
    const sessionId = parseId<'session'>(id)
    // One that is known here and not seen has ended, or is not the caller's to see.
    if (!sessionId || access.sessions.has(sessionId)) return NO_SUCH_SESSION
    const state = await commandHandler.load({ stream: playbackStream(sessionId), decider: playback })
    return isLive(state, access.idle.now()) ? NOT_YET : NO_SUCH_SESSION
  }
}
