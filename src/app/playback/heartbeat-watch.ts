/**
 * Checks whether heartbeats can be accepted, for the idle clock of this node. During an outage of a server that they need, players keep
 * sending them in vain, to any node; the sessions of all nodes must survive that.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Server } from '../../ports/server.ts'
import type { Access } from '../access/access.ts'

const LOOK_EVERY_MS = 1_000

export interface HeartbeatWatchDependencies {
  readonly access: Pick<Access, 'idle' | 'sessions'>
  readonly clock: Clock
  readonly servers: readonly Server[]
  readonly signal: AbortSignal
}

/** Checks every second until the signal, as long as there are sessions. */
export async function watchHeartbeats({ access, clock, servers, signal }: HeartbeatWatchDependencies): Promise<void> {
  while (!signal.aborted) {
    if (access.sessions.size > 0) {
      const checks = await Promise.allSettled(servers.map((server) => server.check()))
      access.idle.takes(checks.every(({ status }) => status === 'fulfilled'))
    }
    await clock.sleep(LOOK_EVERY_MS, signal).catch(() => {})
  }
}
