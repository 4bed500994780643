/** Handles viewings whose player fell silent before the end was recorded. */
import { endOf, type ViewingDocument } from '../../../projections/views/viewings.ts'
import { idleAtMs } from '../../domain/playback/playback.ts'
import { parseId } from '../../vocabulary/id.ts'
import type { Access } from '../access/access.ts'

/** A session that was silent for too long is over, even if its end is not recorded yet. */
export function closedIfIdle({ idle }: Pick<Access, 'idle'>, viewing: ViewingDocument): ViewingDocument {
  const { id, endedAt, beatAt, idleSeconds } = viewing
  const sessionId = endedAt === null && idleSeconds !== null ? parseId<'session'>(id) : undefined
  if (!sessionId || idleSeconds === null || !idle.isIdle({ id: sessionId, idleSeconds })) return viewing
  return { ...viewing, endedAt: endOf(viewing, new Date(idleAtMs({ beatAt, idleSeconds })).toISOString()), endReason: 'idle' }
}
