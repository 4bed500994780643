/**
 * What an auditor wants to know although nothing changes by it, written down as events: refused calls of administrators' routes, and
 * administrators who read the history of others. At most 60 a minute for each who does it, then one event that counts what came too
 * often, so that nobody floods the log.
 */
import type { EventOf } from '../../events/catalogue.ts'
import type { UserId } from '../../vocabulary/id.ts'
import { accessStream } from '../../events/streams.ts'
import type { Decider, Decision } from '../../domain/decider.ts'
import { isRefusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Counters } from '../../ports/counters.ts'
import type { Caller, RequestOrigin } from '../access/caller.ts'
import { byUser, type CommandHandler } from '../commands/command-handler.ts'
import { unlessBehind, type ReadYourWrites } from '../consistency/read-your-writes.ts'

export interface AccessRecords {
  /** A refused call. `operation`: method and route. Settles when the audit shows it. */
  denied(caller: Caller, operation: string, origin: RequestOrigin): Promise<void>
  /** A look at the history of a user, or of everybody (null). Nothing is recorded of a look at one's own. */
  viewed(caller: Caller, look: Look, origin: RequestOrigin): Promise<void>
}

export interface Look {
  readonly userId: UserId | null
  /** Method and route. */
  readonly operation: string
}

export interface AccessRecordsDependencies {
  readonly clock: Clock
  readonly commandHandler: CommandHandler
  readonly counters: Pick<Counters, 'spend'>
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
  readonly onError: (cause: unknown) => void
}

const RECORDED = { max: 60, windowMs: 60_000 }
/** Users whose surplus is counted at once. */
const COUNTED_MAX = 10_000
const DAY_LENGTH = 'YYYY-MM-DD'.length

/** Nothing follows from these events. */
const accessDecider: Decider<null> = { initial: null, evolve: () => null }

interface Access {
  readonly event: EventOf<'AccessDenied' | 'HistoryViewed'>
  readonly by: UserId
  readonly origin: RequestOrigin
}

export function createAccessRecords({
  clock,
  commandHandler,
  counters,
  readYourWrites,
  onError,
}: AccessRecordsDependencies): AccessRecords {
  /** What was not written down yet, by what it is and who did it. */
  const surplus = new Map<string, Access>()

  async function write({ event, by, origin }: Access): Promise<void> {
    const stream = accessStream(by, new Date(clock.now()).toISOString().slice(0, DAY_LENGTH))
    const decide = (): Decision => [event]
    const result = await commandHandler.execute({ stream, decider: accessDecider }, decide, byUser(by, COMMANDS[event.type], origin))
    if (!isRefusal(result)) await readYourWrites.waitFor(result.position).catch(unlessBehind)
  }

  function count(key: string, access: Access): void {
    const before = surplus.get(key)
    if (before === undefined && surplus.size >= COUNTED_MAX) return
    surplus.set(key, before ? together(before, access) : access)
    if (!before) clock.after(RECORDED.windowMs, () => void writeSurplus(key).catch(onError))
  }

  async function writeSurplus(key: string): Promise<void> {
    const access = surplus.get(key)
    surplus.delete(key)
    if (access) await write(access)
  }

  async function record(access: Access): Promise<void> {
    const key = `${access.event.type}.recorded.${access.by}`
    const { allowed } = await counters.spend(key, RECORDED)
    if (allowed) await write(access)
    else count(key, access)
  }

  return {
    denied: ({ userId }, operation, origin) =>
      record({ event: { type: 'AccessDenied', data: { userId, operation, times: 1 } }, by: userId, origin }),
    async viewed({ userId: by }, { userId, operation }, origin) {
      if (userId === by) return
      await record({ event: { type: 'HistoryViewed', data: { userId, operation, times: 1 } }, by, origin })
    },
  }
}

const COMMANDS = { AccessDenied: 'denyAccess', HistoryViewed: 'viewHistory' } as const

/** One for both: of looks at several users it says that they were at everybody. */
function together(before: Access, { event, by, origin }: Access): Access {
  const times = before.event.data.times + event.data.times
  if (event.type === 'AccessDenied') return { event: { ...event, data: { ...event.data, times } }, by, origin }
  const userId = before.event.data.userId === event.data.userId ? event.data.userId : null
  return { event: { ...event, data: { ...event.data, userId, times } }, by, origin }
}
