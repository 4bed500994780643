/**
 * Removes expired logins from the view and from every node's memory. A user can make 144,000 of them a day, and each lives for a week. One
 * event names many of them, and one node writes it.
 */
import { LOGINS_STREAM } from '../../events/streams.ts'
import type { Decider } from '../../domain/decider.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Leases } from '../../ports/leases.ts'
import type { Access } from '../access/access.ts'
import type { CommandHandler } from '../commands/command-handler.ts'
import type { Report } from '../../ports/report.ts'

/** Time after which the clocks of all nodes agree that the login has expired. */
const GRACE_MS = 3_600_000
const EVERY_MS = 600_000
const AT_ONCE = 500

const SYSTEM = { actor: 'system', command: 'expireLogins' }
/** No state: a sweep does not depend on earlier ones. */
const sweeps: Decider<null> = { initial: null, evolve: () => null }

export interface LoginSweepDependencies {
  readonly access: Pick<Access, 'logins'>
  readonly clock: Clock
  readonly commandHandler: CommandHandler
  readonly leases: Leases
  /** Whether this node's clock agrees with the others' clocks: a clock that is ahead must not end a login. */
  readonly agrees: () => boolean
  readonly onError: Report
  readonly signal: AbortSignal
}

/** Sweeps until the signal. `onError` gets the cause of a failed round; the next round tries again. */
export async function sweepLogins(deps: LoginSweepDependencies): Promise<void> {
  const { clock, signal, onError } = deps
  while (!signal.aborted) {
    const isMore = await sweep(deps).catch((cause: unknown) => onError(cause, 'warn'))
    await clock.sleep(isMore ? 1000 : EVERY_MS, signal).catch(() => {})
  }
}

/** True if more can be swept right away. */
async function sweep({ access, agrees, clock, commandHandler, leases }: LoginSweepDependencies): Promise<boolean> {
  if (!agrees() || expired(access, clock).length === 0) return false
  const lease = await leases.acquire('sweeper.logins', 15)
  if (!lease) return false
  try {
    const loginIds = expired(access, clock)
    if (loginIds.length === 0) return false
    const decide = () => [{ type: 'LoginsExpired', data: { loginIds } } as const]
    await commandHandler.execute({ stream: LOGINS_STREAM, decider: sweeps }, decide, SYSTEM)
    return loginIds.length === AT_ONCE
  } finally {
    await lease.release()
  }
}

function expired({ logins }: LoginSweepDependencies['access'], clock: Clock) {
  const before = clock.now() - GRACE_MS
  const ids = [...logins.values()].filter(({ expiresAt }) => Date.parse(expiresAt) < before).map(({ id }) => id)
  return ids.slice(0, AT_ONCE)
}
