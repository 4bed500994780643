/** Records the end of sessions whose heartbeats have stopped, on whichever node they ran. Runs on one node at a time, under a lease. */
import type { Clock } from '../../ports/clock.ts'
import type { Leases } from '../../ports/leases.ts'
import type { Access } from '../access/access.ts'
import { mapConcurrently } from '../../concurrency/semaphore.ts'
import type { SessionHost } from './session-host.ts'
import type { Report } from '../../ports/report.ts'

const EVERY_MS = 5000
const AT_ONCE = 100
/** A session whose node is paused takes seconds. */
const WIDTH = 8

/** Sweeps until the signal. `onError` gets the cause of a failed round; the next round tries again. */
export async function endExpiredSessions(deps: {
  readonly access: Access
  readonly clock: Clock
  readonly host: SessionHost
  readonly leases: Leases
  readonly onError: Report
  readonly signal: AbortSignal
}): Promise<void> {
  const { access, clock, host, leases, onError, signal } = deps
  const author = { actor: 'system', command: 'expirePlayback' }

  async function sweep(): Promise<void> {
    const idle = [...access.sessions.values()].filter((session) => access.idle.isIdle(session)).slice(0, AT_ONCE)
    if (idle.length === 0) return
    const lease = await leases.acquire('sweeper.playback', 15)
    if (!lease) return
    try {
      // One failed session must not prevent the others.
      await mapConcurrently(idle, WIDTH, async ({ id }) => {
        await host.send(id, { command: { type: 'expire' }, author }).catch((cause: unknown) => onError(cause, 'warn'))
      })
    } finally {
      await lease.release()
    }
  }

  // Sleep first, so that the clocks of the other nodes become known.
  while (!signal.aborted) {
    await clock.sleep(EVERY_MS, signal).catch(() => {})
    if (!signal.aborted) await sweep().catch((cause: unknown) => onError(cause, 'warn'))
  }
}
