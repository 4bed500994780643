/** View `logins`: one document per sign-in or access token that has neither ended nor been swept after its expiry. */
import type { AccessScope } from '../../src/events/account-events.ts'
import type { LoginId, UserId } from '../../src/vocabulary/id.ts'
import type { Position } from '../../src/events/position.ts'
import { isSealed, type Sealed } from '../../src/events/sealed.ts'
import { operations, type View } from './view.ts'

export interface LoginDocument {
  readonly id: LoginId
  readonly userId: UserId
  /** SHA-256 of the token, hex. */
  readonly tokenHash: string
  readonly rememberMe: boolean
  readonly createdAt: string
  readonly updatedAt: string
  readonly expiresAt: string
  /** Position of its event in the log: some account changes end all earlier logins (view `users`). */
  readonly position: Position
  /** Client address and program from the sign-in's metadata. */
  readonly address: Sealed | null
  readonly client: Sealed | null
  /** Null: a sign-in. */
  readonly accessToken: AccessTokenPart | null
}

export interface AccessTokenPart {
  readonly name: Sealed
  readonly scopes: readonly AccessScope[]
  /** As coarse as its events. */
  readonly usedAt: string | null
}

const { put, change } = operations<LoginDocument>()

export const logins: View<LoginDocument> = {
  name: 'logins',
  version: 4,
  fields: {},
  indexes: [],
  handles: {
    SignedIn: ({ data, at, position, metadata }) => {
      const { loginId, ...login } = data
      return put(loginId, { id: loginId, ...login, createdAt: at, updatedAt: at, position, ...originOf(metadata), accessToken: null })
    },
    AccessTokenIssued: ({ data, at, position, metadata }) => {
      const { loginId, name, scopes, ...login } = data
      const times = { createdAt: at, updatedAt: at, position }
      const accessToken = { name, scopes, usedAt: null }
      return put(loginId, { id: loginId, ...login, rememberMe: false, ...times, ...originOf(metadata), accessToken })
    },
    AccessTokenUsed: ({ data }) =>
      change(data.loginId, (login) =>
        login.accessToken ? { ...login, accessToken: { ...login.accessToken, usedAt: data.usedAt } } : login,
      ),
    LoginExtended: ({ data, at }) => change(data.loginId, (login) => ({ ...login, expiresAt: data.expiresAt, updatedAt: at })),
    SignedOut: ({ data }) => change(data.loginId, () => null),
    LoginRevoked: ({ data }) => change(data.loginId, () => null),
    LoginsExpired: ({ data }) => data.loginIds.flatMap((id) => change(id, () => null)),
  },
}

const originOf = (metadata: Readonly<Record<string, string>>) => ({
  address: sealedOrNull(metadata['address']),
  client: sealedOrNull(metadata['client']),
})

const sealedOrNull = (text: string | undefined) => (isSealed(text) ? text : null)
