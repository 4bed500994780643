/** The second factor of an account, as its events leave it. */
import type { EventOf } from '../../events/catalogue.ts'
import type { Sealed } from '../../events/sealed.ts'

export interface Passkey {
  readonly passkeyId: string
  readonly name: Sealed
  /** PasskeyCredential (src/ports/passkeys.ts) as JSON. */
  readonly credential: Sealed
}

export interface SecondFactorState {
  /** False: prepared; signing in does not ask for it yet. */
  readonly isEnabled: boolean
  readonly secret: Sealed
  /** SHA-256 of each that is left, hex. */
  readonly recoveryCodes: readonly string[]
  readonly passkeys: readonly Passkey[]
}

export type SecondFactorEvent = EventOf<
  | 'SecondFactorPrepared'
  | 'SecondFactorEnabled'
  | 'SecondFactorDisabled'
  | 'RecoveryCodesReplaced'
  | 'RecoveryCodeUsed'
  | 'PasskeyAdded'
  | 'PasskeyRemoved'
>

export function evolveSecondFactor(state: SecondFactorState | null, event: SecondFactorEvent): SecondFactorState | null {
  switch (event.type) {
    case 'SecondFactorPrepared':
      return { isEnabled: false, secret: event.data.secret, recoveryCodes: event.data.recoveryCodes, passkeys: [] }
    case 'SecondFactorEnabled':
      return state && { ...state, isEnabled: true }
    case 'SecondFactorDisabled':
      return null
    case 'RecoveryCodesReplaced':
      return state && { ...state, recoveryCodes: event.data.recoveryCodes }
    case 'PasskeyAdded':
      return state && { ...state, passkeys: [...without(state, event.data.passkeyId), event.data] }
    case 'PasskeyRemoved':
      return state && { ...state, passkeys: without(state, event.data.passkeyId) }
    default:
      return state && { ...state, recoveryCodes: state.recoveryCodes.filter((code) => code !== event.data.recoveryCode) }
  }
}

const without = ({ passkeys }: SecondFactorState, id: string) => passkeys.filter(({ passkeyId }) => passkeyId !== id)
