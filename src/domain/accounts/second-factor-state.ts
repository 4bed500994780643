/** The second factor of an account, as its events leave it. */
import type { EventOf } from '../../events/catalogue.ts'
import type { Sealed } from '../../events/sealed.ts'

export interface SecondFactorState {
  /** False: prepared; signing in does not ask for it yet. */
  readonly isEnabled: boolean
  readonly secret: Sealed
  /** SHA-256 of each that is left, hex. */
  readonly recoveryCodes: readonly string[]
}

export type SecondFactorEvent = EventOf<
  'SecondFactorPrepared' | 'SecondFactorEnabled' | 'SecondFactorDisabled' | 'RecoveryCodesReplaced' | 'RecoveryCodeUsed'
>

export function evolveSecondFactor(state: SecondFactorState | null, event: SecondFactorEvent): SecondFactorState | null {
  switch (event.type) {
    case 'SecondFactorPrepared':
      return { isEnabled: false, secret: event.data.secret, recoveryCodes: event.data.recoveryCodes }
    case 'SecondFactorEnabled':
      return state && { ...state, isEnabled: true }
    case 'SecondFactorDisabled':
      return null
    case 'RecoveryCodesReplaced':
      return state && { ...state, recoveryCodes: event.data.recoveryCodes }
    default:
      return state && { ...state, recoveryCodes: state.recoveryCodes.filter((code) => code !== event.data.recoveryCode) }
  }
}
