/** View `preferences`: one document per user who has stored preferences. They stay encrypted and are decrypted only for their user. */
import type { Sealed } from '../../src/events/sealed.ts'
import type { UserId } from '../../src/vocabulary/id.ts'
import { operations, type View } from './view.ts'

export interface PreferencesDocument {
  readonly id: UserId
  /** JSON. */
  readonly preferences: Sealed
}

const { put, change } = operations<PreferencesDocument>()

export const preferencesView: View<PreferencesDocument> = {
  name: 'preferences',
  version: 1,
  fields: {},
  indexes: [],
  handles: {
    UserPreferencesChanged: ({ data: { userId, preferences } }) => put(userId, { id: userId, preferences }),
    UserRemoved: ({ data }) => change(data.userId, () => null),
    UserErased: ({ data }) => change(data.userId, () => null),
  },
}
