/**
 * Explains why this node does not know a session. A session just started on another node may be unknown here: the answer is then 503 and
 * not 404, since players give up on 404.
 */
import { parseId } from '../../vocabulary/id.ts'
import { playbackStream } from '../../events/streams.ts'
import { isLive, playback } from '../../domain/playback/playback.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { Access } from '../access/access.ts'
import type { CommandHandler } from '../commands/command-handler.ts'
import { NO_SUCH_SESSION } from '../../domain/playback/refusals.ts'

/** The refusal for a session id that is unknown here. */
export type ExplainMissing = (id: string) => Promise<Refusal>

const NOT_YET = refuse('unavailable', 'This server has not heard of the session yet: try again', { retryAfterSeconds: 1 })

/** A single node knows every session. */
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
    // A session that is known here but not visible has ended, or belongs to another user.
    if (!sessionId || access.sessions.has(sessionId)) return NO_SUCH_SESSION
    const state = await commandHandler.load({ stream: playbackStream(sessionId), decider: playback })
    return isLive(state, access.idle.now()) ? NOT_YET : NO_SUCH_SESSION
  }
}
