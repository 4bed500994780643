/**
 * Stream limit: how many sessions a user may have at a time. On this node the starts of one user take turns; should other nodes
 * start some at the same moment, the log decides: a session that finds as many before it as may be ends itself again. Those before
 * it are never touched, whoever looks and when.
 */
import type { SessionId, UserId } from '../../vocabulary/id.ts'
import { BEYOND } from '../../events/position.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { Access } from '../access/access.ts'
import type { SessionHost } from './session-host.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'

/** Runs `start`, which makes the session `id` and settles once it is visible, where the user may have one more. */
export type WithinStreamLimit = (
  asked: { readonly userId: UserId; readonly id: SessionId },
  start: () => Promise<SessionId | Refusal>,
) => Promise<SessionId | Refusal>

/** Starts of one user that wait for each other. */
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

  /** Ends a session of which the log says that it was one too many. True where it did. */
  async function endedAgain(userId: UserId, id: SessionId): Promise<boolean> {
    const session = access.session(id)
    if (!session) return false
    const before = others(userId, id).filter(({ logPosition }) => logPosition < session.logPosition)
    if (before.length < limitOf(userId)) return false
    const author = { actor: 'system', command: 'endPlayback' }
    await host.send(session.id, { command: { type: 'end', reason: 'access_revoked' }, author })
    return true
  }

  /** Of a repeat of the request that made it: whoever made it may not have seen the others. What the user may have now is not asked. */
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
        // It may be stored all the same, and only some views are late.
        if (await endedAgain(userId, id)) return REACHED
        throw cause
      }
    })
  }
}
