/** Makes the caller that requests of the command line run as: the first administrator, without a login. */
import type { UserDocument } from '../../../projections/views/users.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'

export function firstAdmin({ users }: Pick<Access, 'users'>): UserDocument | undefined {
  const admins = [...users.values()].filter(({ role, enabled }) => role === 'admin' && enabled)
  return admins.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))[0]
}

export function operatorCaller(access: Pick<Access, 'users'>, ids: Ids): Caller | Refusal {
  const admin = firstAdmin(access)
  if (!admin) return refuse('conflict', 'There is no enabled administrator whom requests could run as: add one with `user add`')
  const { id: userId, role, libraryAccess, libraryIds } = admin
  return { userId, loginId: ids.next<'login'>(), role, libraryAccess, libraryIds, isOperator: true }
}
