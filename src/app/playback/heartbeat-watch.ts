/**
 * Heartbeat watch: whether heartbeats can be taken, for the idle clock of this node. While a server that they need is away, players go
 * on and send them in vain, to whichever node they talk; the sessions of all nodes must outlive that.
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

/** Looks every second until the signal, as long as there are sessions. */
export async function watchHeartbeats({ access, clock, servers, signal }: HeartbeatWatchDependencies): Promise<void> {
  while (!signal.aborted) {
    if (access.sessions.size > 0) {
      const checks = await Promise.allSettled(servers.map((server) => server.check()))
      access.idle.takes(checks.every(({ status }) => status === 'fulfilled'))
    }
    await clock.sleep(LOOK_EVERY_MS, signal).catch(() => {})
  }
}
