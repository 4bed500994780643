/** Issues access tokens: logins for the programs of a user, with scopes and a fixed end. `Logins` lists and ends them, too. */
import type { AccessScope } from '../../events/account-events.ts'
import { loginStream } from '../../events/streams.ts'
import type { LoginId, UserId } from '../../vocabulary/id.ts'
import { issueAccessToken, login } from '../../domain/accounts/login.ts'
import { NO_SUCH_USER } from '../../domain/accounts/refusals.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import { hashToken, type Access } from '../access/access.ts'
import type { Author, CommandHandler } from '../commands/command-handler.ts'
import type { Sealer } from '../commands/sealer.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'

export interface NewAccessToken {
  readonly name: string
  readonly scopes: readonly AccessScope[]
  readonly expiresInDays: number
}

export interface AccessTokens {
  /**
   * The token's text is returned this once: only its hash is stored. Refusals: `not-found` (no such user), `forbidden` (scope `admin`, but
   * no administrator), `conflict` (too many tokens).
   */
  issue(userId: UserId, wanted: NewAccessToken, author: Author): Promise<{ readonly token: string; readonly loginId: LoginId } | Refusal>
}

export interface AccessTokensDependencies {
  readonly access: Access
  readonly clock: Clock
  readonly commandHandler: CommandHandler
  readonly ids: Ids
  readonly readYourWrites: ReadYourWrites
  readonly sealer: Sealer
}

/** Scanners for leaked secrets recognize it. */
export const ACCESS_TOKEN_PREFIX = 'mqt_'
export const TOKENS_MAX = 100
const DAY_MS = 86_400_000

export function createAccessTokens({ access, clock, commandHandler, ids, readYourWrites, sealer }: AccessTokensDependencies): AccessTokens {
  const countOf = (userId: UserId) =>
    [...access.logins.values()].filter((one) => one.userId === userId && one.accessToken && access.callerByLogin(one.id)).length

  return {
    async issue(userId, { name, scopes, expiresInDays }, author) {
      const user = access.users.get(userId)
      if (!user) return NO_SUCH_USER
      if (scopes.includes('admin') && user.role !== 'admin')
        return refuse('forbidden', 'Only an administrator has tokens with the scope `admin`')
      if (countOf(userId) >= TOKENS_MAX) return refuse('conflict', `There are ${TOKENS_MAX} access tokens already: revoke one first`)
      const token = ACCESS_TOKEN_PREFIX + ids.token()
      const loginId = ids.next<'login'>()
      const expiresAt = new Date(clock.now() + expiresInDays * DAY_MS).toISOString()
      const data = { loginId, userId, tokenHash: hashToken(token), expiresAt, scopes: [...new Set(scopes)] }
      const target = { stream: loginStream(loginId), decider: login }
      const issued = await commandHandler.execute(target, issueAccessToken({ ...data, name: await sealer.seal(userId, name) }), author)
      if (isRefusal(issued)) return issued
      await readYourWrites.waitFor(issued.position)
      return { token, loginId }
    },
  }
}
