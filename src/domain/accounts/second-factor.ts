/** Decides about the second factor of an account: a secret for one-time codes (TOTP), and recovery codes for the loss of the device. */
import type { UserId } from '../../vocabulary/id.ts'
import type { Sealed } from '../../events/sealed.ts'
import type { Decision } from '../decider.ts'
import { refuse } from '../refusal.ts'
import { NO_SUCH_USER } from './refusals.ts'
import type { UserState } from './user.ts'

export const RECOVERY_CODES = 10

const IS_ON = refuse('conflict', 'The second factor is on already: turn it off first')
const IS_OFF = refuse('conflict', 'The second factor is not on')
const NOT_PREPARED = refuse('conflict', 'No second factor is being set up: begin again')
export const WRONG_CODE = refuse('invalid', 'This code is not valid now', { path: 'code' })

/** A second preparation replaces the first. */
export const prepareSecondFactor =
  (userId: UserId, prepared: { readonly secret: Sealed; readonly recoveryCodes: readonly string[] }) =>
  ({ account }: UserState): Decision => {
    if (!account) return NO_SUCH_USER
    return account.secondFactor?.isEnabled ? IS_ON : [{ type: 'SecondFactorPrepared', data: { userId, ...prepared } }]
  }

/** The person has shown a code of the prepared secret. Another preparation since then needs its own code. */
export const enableSecondFactor =
  (userId: UserId, secret: Sealed | undefined) =>
  ({ account }: UserState): Decision => {
    if (!account) return NO_SUCH_USER
    if (account.secondFactor?.isEnabled) return IS_ON
    const isPrepared = secret !== undefined && account.secondFactor?.secret === secret
    return isPrepared ? [{ type: 'SecondFactorEnabled', data: { userId } }] : NOT_PREPARED
  }

/** Nothing to do if there is none. */
export const disableSecondFactor =
  (userId: UserId) =>
  ({ account }: UserState): Decision => {
    if (!account) return NO_SUCH_USER
    return account.secondFactor ? [{ type: 'SecondFactorDisabled', data: { userId } }] : []
  }

export const replaceRecoveryCodes =
  (userId: UserId, recoveryCodes: readonly string[]) =>
  ({ account }: UserState): Decision => {
    if (!account) return NO_SUCH_USER
    return account.secondFactor?.isEnabled ? [{ type: 'RecoveryCodesReplaced', data: { userId, recoveryCodes } }] : IS_OFF
  }

/** Each code works once. */
export const spendRecoveryCode =
  (userId: UserId, recoveryCode: string) =>
  ({ account }: UserState): Decision => {
    if (!account?.secondFactor?.isEnabled) return WRONG_CODE
    return account.secondFactor.recoveryCodes.includes(recoveryCode)
      ? [{ type: 'RecoveryCodeUsed', data: { userId, recoveryCode } }]
      : WRONG_CODE
  }
