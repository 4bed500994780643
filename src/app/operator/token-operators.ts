/** Runs the operator's commands on access tokens. */
import { isRefusal } from '../../domain/refusal.ts'
import type { AccessTokens } from '../accounts/access-tokens.ts'
import type { Logins } from '../accounts/logins.ts'
import { findUser, type AccountOperatorDependencies } from './account-operators.ts'
import type { OperatorCommands } from './operator-commands.ts'

type TokenCommands = Pick<OperatorCommands, 'addToken' | 'listTokens' | 'revokeToken'>

export interface TokenOperatorDependencies extends Pick<AccountOperatorDependencies, 'access' | 'accounts'> {
  readonly accessTokens: AccessTokens
  readonly logins: Logins
}

/** More than a person has. */
const LISTED_MAX = 1000

export function createTokenOperators(deps: TokenOperatorDependencies): TokenCommands {
  const { accessTokens, logins } = deps
  return {
    async addToken({ user, name, scopes, days }) {
      const userId = await findUser(deps, user)
      if (isRefusal(userId)) return userId
      const made = await accessTokens.issue(userId, { name, scopes, expiresInDays: days }, { actor: 'cli', command: 'createAccessToken' })
      return isRefusal(made) ? made : { token: made.token, id: made.loginId }
    },

    async listTokens({ user }) {
      const userId = await findUser(deps, user)
      if (isRefusal(userId)) return userId
      const { items } = await logins.list(userId, { limit: LISTED_MAX }, 'access-token')
      return items.flatMap(({ id, expiresAt, accessToken }) =>
        accessToken ? [{ id, name: accessToken.name, scopes: accessToken.scopes, expiresAt, lastUsedAt: accessToken.usedAt }] : [],
      )
    },

    async revokeToken({ user, id }) {
      const userId = await findUser(deps, user)
      if (isRefusal(userId)) return userId
      return (await logins.revoke(userId, id, { actor: 'cli', command: 'revokeAccessToken' }, 'access-token')) ?? null
    },
  }
}
