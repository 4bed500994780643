/** View `logins`: one document a login that is neither ended nor swept after it expired. */
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
  /** Where it stands in the log: some changes of an account end all logins from before (view `users`). */
  readonly position: Position
  /** Address and program that it was made from, as the sign-in's metadata has them. */
  readonly address: Sealed | null
  readonly client: Sealed | null
}

const { put, change } = operations<LoginDocument>()

export const logins: View<LoginDocument> = {
  name: 'logins',
  version: 3,
  fields: {},
  indexes: [],
  handles: {
    SignedIn: ({ data, at, position, metadata }) => {
      const { loginId, ...login } = data
      const from = { address: sealedOrNull(metadata['address']), client: sealedOrNull(metadata['client']) }
      return put(loginId, { id: loginId, ...login, createdAt: at, updatedAt: at, position, ...from })
    },
    LoginExtended: ({ data, at }) => change(data.loginId, (login) => ({ ...login, expiresAt: data.expiresAt, updatedAt: at })),
    SignedOut: ({ data }) => change(data.loginId, () => null),
    LoginRevoked: ({ data }) => change(data.loginId, () => null),
    LoginsExpired: ({ data }) => data.loginIds.flatMap((id) => change(id, () => null)),
  },
}

const sealedOrNull = (text: string | undefined) => (isSealed(text) ? text : null)
