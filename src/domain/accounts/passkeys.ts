/** Decides about the passkeys of an account: they are another way to pass its second factor. */
import type { UserId } from '../../vocabulary/id.ts'
import type { EventData } from '../../events/catalogue.ts'
import type { Decision } from '../decider.ts'
import { refuse } from '../refusal.ts'
import { NO_SUCH_USER } from './refusals.ts'
import type { UserState } from './user.ts'

const MAX_PASSKEYS = 10

const IS_OFF = refuse('conflict', 'The second factor is not on: turn it on first')
const TOO_MANY = refuse('conflict', `An account has at most ${MAX_PASSKEYS} passkeys: remove one first`)
const NO_SUCH_PASSKEY = refuse('not-found', 'There is no such passkey')

/** A passkey that is added again replaces itself. */
export const addPasskey =
  (data: EventData['PasskeyAdded']) =>
  ({ account }: UserState): Decision => {
    if (!account) return NO_SUCH_USER
    if (!account.secondFactor?.isEnabled) return IS_OFF
    const others = account.secondFactor.passkeys.filter(({ passkeyId }) => passkeyId !== data.passkeyId)
    return others.length < MAX_PASSKEYS ? [{ type: 'PasskeyAdded', data }] : TOO_MANY
  }

export const removePasskey =
  (userId: UserId, passkeyId: string) =>
  ({ account }: UserState): Decision => {
    if (!account) return NO_SUCH_USER
    const isThere = account.secondFactor?.passkeys.some((passkey) => passkey.passkeyId === passkeyId)
    return isThere ? [{ type: 'PasskeyRemoved', data: { userId, passkeyId } }] : NO_SUCH_PASSKEY
  }
