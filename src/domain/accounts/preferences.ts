/** Preferences of a user, such as languages: stored by clients for themselves. The server does not interpret them. */
import type { UserId } from '../../vocabulary/id.ts'
import type { Sealed } from '../../events/sealed.ts'
import type { Decision } from '../decider.ts'
import { refuse, type Refusal } from '../refusal.ts'
import { NO_SUCH_USER } from './refusals.ts'
import type { UserState } from './user.ts'

/** As JSON without spaces, in UTF-8. */
export const PREFERENCES_MAX_BYTES = 16_384

export function preferencesFault(json: string): Refusal | undefined {
  if (Buffer.byteLength(json) <= PREFERENCES_MAX_BYTES) return undefined
  return refuse('invalid', `Preferences may have ${PREFERENCES_MAX_BYTES} bytes of JSON at most`, { path: '' })
}

/** Replaces all of them. The caller passes sealed texts only if the text differs. */
export const changePreferences =
  (userId: UserId, preferences: Sealed) =>
  ({ account }: UserState): Decision =>
    account ? [{ type: 'UserPreferencesChanged', data: { userId, preferences } }] : NO_SUCH_USER
