/** View `users`: one document per account. Names and addresses stay encrypted and are decrypted only for responses. */
import type { LibraryAccess, Role } from '../../src/events/account-events.ts'
import type { LibraryId, LoginId, UserId } from '../../src/vocabulary/id.ts'
import { START, type Position } from '../../src/events/position.ts'
import type { RecordedEvent } from '../../src/events/recorded.ts'
import type { Sealed } from '../../src/events/sealed.ts'
import { operations, type Operation, type View } from './view.ts'

export interface UserDocument {
  readonly id: UserId
  readonly email: Sealed
  readonly name: Sealed
  readonly role: Role
  readonly enabled: boolean
  readonly libraryAccess: LibraryAccess
  readonly libraryIds: readonly LibraryId[]
  readonly maxConcurrentStreams: number | null
  /** Log position of the limit: sessions that started before it had another limit. */
  readonly streamLimitSince: Position
  readonly passwordVersion: number
  readonly createdAt: string
  readonly updatedAt: string
  /** Newest sign-in, sign-out, playback start or day of activity: as precise as the events are. */
  readonly lastSeenAt: string | null
  /** Logins before this position are over, except the one that was kept: the account was disabled or enabled, or its password changed. */
  readonly loginsAfter: Position
  readonly keptLoginId: LoginId | null
  /** With an account at the identity provider. */
  readonly linked: boolean
  /** Until when an administrator allows that a verified address links the account; a time in the past no longer counts. */
  readonly linkConsentUntil: string | null
}

const { put, change } = operations<UserDocument>()

export const users: View<UserDocument> = {
  name: 'users',
  version: 4,
  fields: {},
  indexes: [],
  handles: {
    UserRegistered: ({ data, at, position }) => {
      const { userId, ...account } = data
      const never = {
        streamLimitSince: position,
        lastSeenAt: null,
        loginsAfter: START,
        keptLoginId: null,
        linked: false,
        linkConsentUntil: null,
      }
      return put(userId, { id: userId, ...account, enabled: true, createdAt: at, updatedAt: at, ...never })
    },
    UserProfileChanged: (event) => update(event, { name: event.data.name }),
    UserEmailChanged: (event) => update(event, { email: event.data.email, linkConsentUntil: null }),
    UserRoleChanged: (event) => update(event, { role: event.data.role }),
    UserAccessChanged: (event) => update(event, { libraryAccess: event.data.libraryAccess, libraryIds: event.data.libraryIds }),
    UserStreamLimitChanged: (event) =>
      update(event, { maxConcurrentStreams: event.data.maxConcurrentStreams, streamLimitSince: event.position }),
    UserPasswordChanged: (event) => {
      const { passwordVersion, logins, keptLoginId } = event.data
      return update(event, { passwordVersion, ...(logins === 'ended' ? { loginsAfter: event.position, keptLoginId } : {}) })
    },
    IdentityLinked: (event) => update(event, { linked: true, linkConsentUntil: null }),
    IdentityUnlinked: (event) => update(event, { linked: false }),
    LinkConsentGiven: (event) => update(event, { linkConsentUntil: event.data.expiresAt }),
    LinkConsentWithdrawn: (event) => update(event, { linkConsentUntil: null }),
    UserDisabled: (event) => update(event, { enabled: false, loginsAfter: event.position, keptLoginId: null }),
    UserEnabled: (event) => update(event, { enabled: true, loginsAfter: event.position, keptLoginId: null }),
    UserRemoved: ({ data }) => change(data.userId, () => null),
    UserErased: ({ data }) => change(data.userId, () => null),
    SignedIn: seen,
    LoginExtended: seen,
    SignedOut: seen,
    PlaybackStarted: seen,
  },
}

type Changed = RecordedEvent & { readonly data: { readonly userId: UserId } }

function update({ data, at }: Changed, changed: Partial<UserDocument>): readonly Operation<UserDocument>[] {
  return change(data.userId, (user) => ({ ...user, ...changed, updatedAt: at }))
}

function seen({ data, at }: Changed): readonly Operation<UserDocument>[] {
  return change(data.userId, (user) => (user.lastSeenAt !== null && user.lastSeenAt >= at ? user : { ...user, lastSeenAt: at }))
}
