/**
 * Login: one sign-in of one user on one device. It lasts seven days; activity extends it to seven days again, at most every 24 hours.
 */
import type { EventData } from '../../events/catalogue.ts'
import type { LoginId, UserId } from '../../vocabulary/id.ts'
import type { Decider, Decision } from '../decider.ts'

const DAY_MS = 86_400_000
export const LOGIN_LIFE_MS = 7 * DAY_MS
const EXTENSION_AFTER_MS = DAY_MS

export interface LoginState {
  readonly login: { readonly loginId: LoginId; readonly userId: UserId; readonly expiresAtMs: number } | null
}

export const login: Decider<LoginState> = {
  initial: { login: null },
  evolve: (state, event) => {
    if (event.type === 'SignedIn') {
      const { loginId, userId, expiresAt } = event.data
      return { login: { loginId, userId, expiresAtMs: Date.parse(expiresAt) } }
    }
    if (event.type === 'LoginExtended' && state.login) return { login: { ...state.login, expiresAtMs: Date.parse(event.data.expiresAt) } }
    return event.type === 'SignedOut' || event.type === 'LoginRevoked' ? { login: null } : state
  },
}

export const signIn = (data: Omit<EventData['SignedIn'], 'expiresAt'>, nowMs: number) => (): Decision => [
  { type: 'SignedIn', data: { ...data, expiresAt: expiry(nowMs) } },
]

export const refuseSignIn = (data: EventData['SignInRefused']) => (): Decision => [{ type: 'SignInRefused', data }]

/** Whether activity now extends a login with this expiry. */
export const isDue = (expiresAtMs: number, nowMs: number) =>
  nowMs >= expiresAtMs - LOGIN_LIFE_MS + EXTENSION_AFTER_MS && nowMs < expiresAtMs

export const extend =
  (nowMs: number) =>
  ({ login }: LoginState): Decision => {
    if (!login || !isDue(login.expiresAtMs, nowMs)) return []
    return [{ type: 'LoginExtended', data: { loginId: login.loginId, userId: login.userId, expiresAt: expiry(nowMs) } }]
  }

export const signOut = ({ login }: LoginState): Decision =>
  login ? [{ type: 'SignedOut', data: { loginId: login.loginId, userId: login.userId } }] : []

/** Ends the login from another device. */
export const revoke = ({ login }: LoginState): Decision =>
  login ? [{ type: 'LoginRevoked', data: { loginId: login.loginId, userId: login.userId } }] : []

const expiry = (nowMs: number) => new Date(nowMs + LOGIN_LIFE_MS).toISOString()
