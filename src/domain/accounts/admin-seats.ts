/**
 * Tracks the seats of the enabled admins: one stream for all of them. If two requests race to remove the last two admins, its expected
 * revision lets one succeed, and the other is refused.
 *
 * An account that stops being an admin leaves its seat first and is changed then; an account that becomes an admin takes its seat last. So
 * a crash in between leaves an admin without a seat, who is not counted, and never a seat without an admin.
 */
import type { UserId } from '../../vocabulary/id.ts'
import type { Decider, Decision } from '../decider.ts'
import { refuse } from '../refusal.ts'

export type SeatsState = ReadonlySet<UserId>

const NOBODY: SeatsState = new Set()

export const adminSeats: Decider<SeatsState> = {
  initial: NOBODY,
  evolve: (seats, event) => {
    if (event.type === 'NameClaimed' && event.data.kind === 'admin') return new Set([...seats, event.data.userId])
    if (event.type === 'NameReleased' && event.data.kind === 'admin') return new Set([...seats].filter((id) => id !== event.data.userId))
    return seats
  },
}

export const takeSeat =
  (userId: UserId) =>
  (seats: SeatsState): Decision =>
    seats.has(userId) ? [] : [{ type: 'NameClaimed', data: { kind: 'admin', userId } }]

export const leaveSeat =
  (userId: UserId) =>
  (seats: SeatsState): Decision => {
    const others = [...seats].some((id) => id !== userId)
    if (!others) return refuse('conflict', 'The last administrator cannot be demoted, disabled or deleted')
    return seats.has(userId) ? [{ type: 'NameReleased', data: { kind: 'admin', userId } }] : []
  }
