/** Viewings whose player fell silent, before anybody has written down that they ended. */
import { endOf, type ViewingDocument } from '../../../projections/views/viewings.ts'
import { idleAtMs } from '../../domain/playback/playback.ts'
import { parseId } from '../../vocabulary/id.ts'
import type { Access } from '../access/access.ts'

/** A session is over when it has been silent for too long, whoever writes it down. */
export function closedIfIdle({ idle }: Pick<Access, 'idle'>, viewing: ViewingDocument): ViewingDocument {
  const { id, endedAt, beatAt, idleSeconds } = viewing
  const sessionId = endedAt === null && idleSeconds !== null ? parseId<'session'>(id) : undefined
  if (!sessionId || idleSeconds === null || !idle.isIdle({ id: sessionId, idleSeconds })) return viewing
  return { ...viewing, endedAt: endOf(viewing, new Date(idleAtMs({ beatAt, idleSeconds })).toISOString()), endReason: 'idle' }
}
