/** Runs the commands on the seats of the enabled admins (src/domain/accounts/admin-seats.ts): the last one cannot be left. */
import type { UserId } from '../../vocabulary/id.ts'
import type { Position } from '../../events/position.ts'
import { claimStream, userStream } from '../../events/streams.ts'
import { adminSeats, leaveSeat, takeSeat } from '../../domain/accounts/admin-seats.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import { user, type AccountState } from '../../domain/accounts/user.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Leases } from '../../ports/leases.ts'
import type { Author, CommandHandler } from '../commands/command-handler.ts'
import type { NameClaims } from './name-claims.ts'

export interface AdminSeats {
  /** Call it after the account has become an enabled admin. */
  take(userId: UserId, author: Author): Promise<Position>
  /** Call it before the account stops being an enabled admin. Refusal: `conflict` for the last one. */
  leave(userId: UserId, author: Author): Promise<Position | Refusal>
  /** Runs one change of an account's role or state at a time, so that no seat is taken for an account that is just leaving it. */
  exclusively<Result>(userId: UserId, work: () => Promise<Result | Refusal>): Promise<Result | Refusal>
  /** Gives seats to those of these admins that have none: after a crash, or in a log that is older than seats. */
  recover(userIds: Iterable<UserId>): Promise<void>
}

export const isAdmin = ({ role, enabled }: Pick<AccountState, 'role' | 'enabled'>) => role === 'admin' && enabled

export interface AdminSeatsDependencies {
  readonly clock: Clock
  readonly commandHandler: CommandHandler
  readonly leases: Leases
  readonly names: NameClaims
}

const LEASE_SECONDS = 5
const TRIES = 40
const TRY_PAUSE_MS = 50
const BUSY = refuse('unavailable', 'This account is being changed: try again', { retryAfterSeconds: 1 })

export function createAdminSeats({ clock, commandHandler, leases, names }: AdminSeatsDependencies): AdminSeats {
  const target = async () => ({ stream: claimStream(await names.hmac('admin', '')), decider: adminSeats })

  async function take(userId: UserId, author: Author): Promise<Position> {
    const result = await commandHandler.execute(await target(), takeSeat(userId), author)
    if (isRefusal(result)) throw new Error(result.message)
    return result.position
  }

  async function exclusively<Result>(userId: UserId, work: () => Promise<Result | Refusal>): Promise<Result | Refusal> {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const lease = await leases.acquire(`account.${userId}`, LEASE_SECONDS)
      if (!lease) {
        await clock.sleep(TRY_PAUSE_MS)
        continue
      }
      try {
        return await work()
      } finally {
        await lease.release()
      }
    }
    return BUSY
  }

  return {
    take,
    exclusively,

    async leave(userId, author) {
      const result = await commandHandler.execute(await target(), leaveSeat(userId), author)
      return isRefusal(result) ? result : result.position
    },

    async recover(userIds) {
      const seated = await commandHandler.load(await target())
      for (const userId of userIds) {
        if (seated.has(userId)) continue
        await exclusively(userId, async () => {
          const { account } = await commandHandler.load({ stream: userStream(userId), decider: user })
          return account && isAdmin(account) ? take(userId, { actor: 'system', command: 'recoverAdminSeat' }) : undefined
        })
      }
    },
  }
}
