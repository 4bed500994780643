/** Records that a login is in use: a sign-in is extended, of an access token the day is noted. */
import { loginStream } from '../../events/streams.ts'
import { extend, isDue, isUseDue, login, useAccessToken } from '../../domain/accounts/login.ts'
import { isRefusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { LoginId } from '../../vocabulary/id.ts'
import type { Access } from '../access/access.ts'
import type { Caller, RequestOrigin } from '../access/caller.ts'
import { byUser, type CommandHandler } from '../commands/command-handler.ts'

export interface LoginUseDependencies {
  readonly access: Pick<Access, 'logins'>
  readonly clock: Clock
  readonly commandHandler: CommandHandler
}

const target = (loginId: LoginId) => ({ stream: loginStream(loginId), decider: login })

/** True if the login was extended. The origin is only looked up for that: this runs for each request. */
export async function touchLogin(
  { access, clock, commandHandler }: LoginUseDependencies,
  caller: Caller,
  origin: () => RequestOrigin,
): Promise<boolean> {
  const document = access.logins.get(caller.loginId)
  const now = clock.now()
  if (document?.accessToken) return noteUse({ commandHandler }, { caller, usedAt: document.accessToken.usedAt, now }, origin)
  if (!document || !isDue(Date.parse(document.expiresAt), now)) return false
  const result = await commandHandler.execute(target(caller.loginId), extend(now), byUser(caller.userId, 'extendLogin', origin()))
  return !isRefusal(result) && result.events.length > 0
}

interface Use {
  readonly caller: Caller
  readonly usedAt: string | null
  readonly now: number
}

async function noteUse(
  { commandHandler }: Pick<LoginUseDependencies, 'commandHandler'>,
  { caller, usedAt, now }: Use,
  origin: () => RequestOrigin,
): Promise<false> {
  if (!isUseDue(usedAt === null ? null : Date.parse(usedAt), now)) return false
  await commandHandler.execute(target(caller.loginId), useAccessToken(now), byUser(caller.userId, 'useAccessToken', origin()))
  return false
}
