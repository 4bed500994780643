/** View `logins`: one document per login that has neither ended nor been swept after its expiry. */
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
