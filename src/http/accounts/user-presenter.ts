/** Presents accounts and logins; the input contains neither tokens nor hashes. */
import type { Account } from '../../app/access/caller.ts'
import type { OpenedLogin } from '../../app/accounts/logins.ts'
import type { LoginBody, UserBody, UserLoginBody } from './user-schemas.ts'

export function presentUser(account: Account): UserBody {
  const { id, email, name, role, enabled, libraryAccess, libraryIds, maxConcurrentStreams, createdAt, updatedAt, lastSeenAt } = account
  const rights = { role, enabled, libraryAccess, libraryIds: [...libraryIds], maxConcurrentStreams }
  return { id, email, name, ...rights, createdAt, updatedAt, lastSeenAt }
}

export function presentLogin({ id, userId, createdAt, updatedAt, expiresAt, address, client }: OpenedLogin): LoginBody {
  return { id, userId, createdAt, updatedAt, expiresAt, ipAddress: address, userAgent: client }
}

export const presentUserLogin = (login: OpenedLogin): UserLoginBody => ({
  ...presentLogin(login),
  accessToken: login.accessToken?.name ?? null,
})
