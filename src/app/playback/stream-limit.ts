/**
 * Limits the concurrent sessions of a user. On this node the starts of one user run one after another. If other nodes start some at the
 * same time, the log decides: a session that has too many sessions before it in the log ends itself again. Earlier ones are never ended,
 * whichever node checks, and whenever.
 */
import type { SessionId, UserId } from '../../vocabulary/id.ts'
import { BEYOND } from '../../events/position.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { Access } from '../access/access.ts'
import type { SessionHost } from './session-host.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'

/** Runs `start`, which makes the session `id` and settles once it is visible, if the user may have one more. */
export type WithinStreamLimit = (
  asked: { readonly userId: UserId; readonly id: SessionId },
  start: () => Promise<SessionId | Refusal>,
) => Promise<SessionId | Refusal>

/** Most waiting starts of one user. */
const WAITING_MAX = 16

const REACHED = refuse('conflict', 'Stream limit reached')
const BUSY = refuse('unavailable', 'Too many sessions are being started: try again', { retryAfterSeconds: 1 })

export function createStreamLimit({ access, host }: { readonly access: Access; readonly host: SessionHost }): WithinStreamLimit {
  const starting = new Map<UserId, { readonly slot: ReturnType<typeof createSemaphore>; count: number }>()

  const limitOf = (userId: UserId) => access.users.get(userId)?.maxConcurrentStreams ?? Infinity

  const others = (userId: UserId, id: SessionId): readonly SessionDocument[] =>
    [...access.sessions.values()].filter((one) => one.userId === userId && one.id !== id && access.session(one.id))

  async function inTurn(userId: UserId, task: () => Promise<SessionId | Refusal>): Promise<SessionId | Refusal> {
    const queue = starting.get(userId) ?? { slot: createSemaphore(1), count: 0 }
    if (queue.count >= WAITING_MAX) return BUSY
    starting.set(userId, queue)
    queue.count++
    try {
      return await queue.slot(task)
    } finally {
      if (--queue.count === 0) starting.delete(userId)
    }
  }

  /** Ends a session that exceeds the limit according to the log. True if it did. */
  async function endedAgain(userId: UserId, id: SessionId): Promise<boolean> {
    const session = access.session(id)
    if (!session) return false
    const before = others(userId, id).filter(({ logPosition }) => logPosition < session.logPosition)
    if (before.length < limitOf(userId)) return false
    const author = { actor: 'system', command: 'endPlayback' }
    await host.send(session.id, { command: { type: 'end', reason: 'access_revoked' }, author })
    return true
  }

  /**
   * For a retry of the request that started it: the first attempt may not have seen the other sessions. A limit that changed later does not
   * count.
   */
  async function isOneTooMany({ userId, id, logPosition }: SessionDocument): Promise<boolean> {
    const limitSince = access.users.get(userId)?.streamLimitSince ?? BEYOND
    return limitSince < logPosition && endedAgain(userId, id)
  }

  return async ({ userId, id }, start) => {
    if (limitOf(userId) === Infinity) return start()
    return inTurn(userId, async () => {
      const begun = access.session(id)
      if (begun) return (await isOneTooMany(begun)) ? REACHED : id
      if (others(userId, id).length >= limitOf(userId)) return REACHED
      try {
        const started = await start()
        return (await endedAgain(userId, id)) ? REACHED : started
      } catch (cause) {
        // It may be stored even so, with only some views behind.
        if (await endedAgain(userId, id)) return REACHED
        throw cause
      }
    })
  }
}
