/**
 * Refused calls of administrators' routes, written down as events: at most 60 a minute for each user, then one event that counts what
 * came too often, so that nobody floods the log.
 */
import type { UserId } from '../../vocabulary/id.ts'
import { accessStream } from '../../events/streams.ts'
import type { Decider, Decision } from '../../domain/decider.ts'
import { isRefusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Counters } from '../../ports/counters.ts'
import type { Caller, RequestOrigin } from '../access/caller.ts'
import { byUser, type CommandHandler } from '../commands/command-handler.ts'
import { unlessBehind, type ReadYourWrites } from '../consistency/read-your-writes.ts'

export interface Denials {
  /** `operation`: method and route. Settles when the audit shows it. */
  record(caller: Caller, operation: string, origin: RequestOrigin): Promise<void>
}

export interface DenialsDependencies {
  readonly clock: Clock
  readonly commandHandler: CommandHandler
  readonly counters: Pick<Counters, 'spend'>
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
  readonly onError: (cause: unknown) => void
}

const RECORDED = { max: 60, windowMs: 60_000 }
/** Users whose surplus is counted at once. */
const USERS_MAX = 10_000
const DAY_LENGTH = 'YYYY-MM-DD'.length

/** Nothing follows from these events. */
const accessDecider: Decider<null> = { initial: null, evolve: () => null }

interface Denied {
  readonly caller: Caller
  readonly operation: string
  readonly origin: RequestOrigin
  readonly times: number
}

export function createDenials({ clock, commandHandler, counters, readYourWrites, onError }: DenialsDependencies): Denials {
  /** What was not written down yet. */
  const surplus = new Map<UserId, Denied>()

  async function write({ caller: { userId }, operation, origin, times }: Denied): Promise<void> {
    const stream = accessStream(userId, new Date(clock.now()).toISOString().slice(0, DAY_LENGTH))
    const decide = (): Decision => [{ type: 'AccessDenied', data: { userId, operation, times } }]
    const result = await commandHandler.execute({ stream, decider: accessDecider }, decide, byUser(userId, 'denyAccess', origin))
    if (!isRefusal(result)) await readYourWrites.waitFor(result.position).catch(unlessBehind)
  }

  function count(denied: Denied): void {
    const { userId } = denied.caller
    const before = surplus.get(userId)
    if (before === undefined && surplus.size >= USERS_MAX) return
    surplus.set(userId, { ...denied, times: denied.times + (before?.times ?? 0) })
    if (!before) clock.after(RECORDED.windowMs, () => void writeSurplus(userId).catch(onError))
  }

  async function writeSurplus(userId: UserId): Promise<void> {
    const denied = surplus.get(userId)
    surplus.delete(userId)
    if (denied) await write(denied)
  }

  return {
    async record(caller, operation, origin) {
      const denied = { caller, operation, origin, times: 1 }
      const { allowed } = await counters.spend(`denied.recorded.${caller.userId}`, RECORDED)
      if (allowed) await write(denied)
      else count(denied)
    },
  }
}
