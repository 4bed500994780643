/** Handles viewings whose player fell silent before the end was recorded. */
import { endOf, type ViewingDocument } from '../../../projections/views/viewings.ts'
import { idleAtMs } from '../../domain/playback/playback.ts'
import { parseId, type SessionId } from '../../vocabulary/id.ts'

/** Whether a session was silent for too long. */
export type IsIdle = (session: { readonly id: SessionId; readonly beatAt: string; readonly idleSeconds: number }) => boolean

/** For viewings as of an earlier time: by the times in the log. */
export const idleAsOf =
  (atMs: number): IsIdle =>
  (session) =>
    idleAtMs(session) <= atMs

/** A session that was silent for too long is over, even if its end is not recorded yet. */
export function closedIfIdle(isIdle: IsIdle, viewing: ViewingDocument): ViewingDocument {
  const { id, endedAt, beatAt, idleSeconds } = viewing
  const sessionId = endedAt === null && idleSeconds !== null ? parseId<'session'>(id) : undefined
  if (!sessionId || idleSeconds === null || !isIdle({ id: sessionId, beatAt, idleSeconds })) return viewing
  const idleAt = new Date(idleAtMs({ beatAt, idleSeconds })).toISOString()
  return { ...viewing, endedAt: endOf(viewing, idleAt), endReason: 'idle', over: true }
}
