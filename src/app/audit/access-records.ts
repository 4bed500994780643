/**
 * Records accesses that change nothing but matter to an auditor: refused calls of administrators' routes, and administrators who read the
 * history or the audit log of others.
 */
import type { EventOf } from '../../events/catalogue.ts'
import type { UserId } from '../../vocabulary/id.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import { accessStream } from '../../events/streams.ts'
import type { Decider, Decision } from '../../domain/decider.ts'
import { isRefusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Counters } from '../../ports/counters.ts'
import type { Caller, RequestOrigin } from '../access/caller.ts'
import { createCappedRecords } from '../commands/capped-records.ts'
import { byUser, type CommandHandler } from '../commands/command-handler.ts'
import { unlessBehind, type ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { Report } from '../../ports/report.ts'

export interface AccessRecords {
  /** A refused call. `operation`: method and route. Settles when the audit log shows it. */
  denied(caller: Caller, operation: string, origin: RequestOrigin): Promise<void>
  /** Records that somebody read the history or audit log of a user, or of everybody (null). Reading one's own is not recorded. */
  viewed(caller: Caller, look: Look, origin: RequestOrigin): Promise<void>
  /** As `viewed`, for what a program requests again and again: at most once an hour for each login and operation on this node. */
  followed(caller: Caller, look: Look, origin: RequestOrigin): Promise<void>
  /** Writes the records that are only counted so far. Call it before a stop. */
  flush(this: void): Promise<void>
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
  readonly onError: Report
}

const FOLLOWED_MS = 3_600_000
/** Logins and operations whose last record is remembered. One that is forgotten is recorded again. */
const FOLLOWERS_MAX = 1_000

const DAY_LENGTH = 'YYYY-MM-DD'.length

/** No state: these events have no consequences. */
const accessDecider: Decider<null> = { initial: null, evolve: () => null }

interface Access {
  readonly event: EventOf<'AccessDenied' | 'HistoryViewed'>
  readonly by: UserId
  readonly origin: RequestOrigin
}

export function createAccessRecords(deps: AccessRecordsDependencies): AccessRecords {
  const { clock, commandHandler, readYourWrites } = deps

  async function write({ event, by, origin }: Access): Promise<void> {
    const stream = accessStream(by, new Date(clock.now()).toISOString().slice(0, DAY_LENGTH))
    const decide = (): Decision => [event]
    const result = await commandHandler.execute({ stream, decider: accessDecider }, decide, byUser(by, COMMANDS[event.type], origin))
    if (!isRefusal(result)) await readYourWrites.waitFor(result.position).catch(unlessBehind)
  }

  const records = createCappedRecords<Access>({ ...deps, write, together })
  const record = (access: Access) =>
    records.record(`${access.event.type}.recorded.${access.origin.isOperator ? 'operator.' : ''}${access.by}`, access)
  async function viewed({ userId: by }: Caller, { userId, operation }: Look, origin: RequestOrigin): Promise<void> {
    if (userId === by && !origin.isOperator) return
    await record({ event: { type: 'HistoryViewed', data: { userId, operation, times: 1 } }, by, origin })
  }
  /** When each login was last recorded with an operation, in milliseconds of the monotonic clock. */
  const followers = createLruCache<number>(FOLLOWERS_MAX)
  return {
    denied: ({ userId }, operation, origin) =>
      record({ event: { type: 'AccessDenied', data: { userId, operation, times: 1 } }, by: userId, origin }),
    viewed,
    async followed(caller, look, origin) {
      const [key, nowMs] = [`${caller.loginId} ${look.operation}`, clock.monotonic()]
      if (nowMs - (followers.get(key) ?? -Infinity) < FOLLOWED_MS) return
      await viewed(caller, look, origin)
      followers.put(key, nowMs)
    },
    flush: records.flush,
  }
}

const COMMANDS = { AccessDenied: 'denyAccess', HistoryViewed: 'viewHistory' } as const

/** Merges two records. If the users read differ, the merged record names everybody. */
function together(before: Access, { event, by, origin }: Access): Access {
  const times = before.event.data.times + event.data.times
  if (event.type === 'AccessDenied') return { event: { ...event, data: { ...event.data, times } }, by, origin }
  const userId = before.event.data.userId === event.data.userId ? event.data.userId : null
  return { event: { ...event, data: { ...event.data, userId, times } }, by, origin }
}
