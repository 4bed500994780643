/** View `users`: one document an account. Names and addresses stay sealed; they are opened only when answering. */
import type { LibraryAccess, Role } from '../src/events/catalogue.ts'
import type { LibraryId, UserId } from '../src/events/id.ts'
import type { Sealed } from '../src/events/sealed.ts'
import { operations, type View } from './view.ts'

export interface UserDocument {
  readonly id: UserId
  readonly email: Sealed
  readonly name: Sealed
  readonly role: Role
  readonly enabled: boolean
  readonly libraryAccess: LibraryAccess
  readonly libraryIds: readonly LibraryId[]
  readonly maxConcurrentStreams: number | null
  readonly passwordVersion: number
  readonly createdAt: string
  readonly updatedAt: string
}

const { put } = operations<UserDocument>()

export const users: View<UserDocument> = {
  name: 'users',
  version: 1,
  fields: {},
  indexes: [],
  handles: {
    UserRegistered: ({ data, at }) => {
      const { userId, ...account } = data
      return put(userId, { id: userId, ...account, enabled: true, createdAt: at, updatedAt: at })
    },
  },
}
