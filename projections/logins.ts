/** View `logins`: one document a login that is not ended. */
import type { LoginId, UserId } from '../src/events/id.ts'
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
}

const { put, change } = operations<LoginDocument>()

export const logins: View<LoginDocument> = {
  name: 'logins',
  version: 1,
  fields: {},
  indexes: [],
  handles: {
    SignedIn: ({ data, at }) => {
      const { loginId, ...login } = data
      return put(loginId, { id: loginId, ...login, createdAt: at, updatedAt: at })
    },
    LoginExtended: ({ data, at }) => change(data.loginId, (login) => ({ ...login, expiresAt: data.expiresAt, updatedAt: at })),
    SignedOut: ({ data }) => change(data.loginId, () => null),
  },
}
