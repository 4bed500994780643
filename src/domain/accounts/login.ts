/**
 * Login: one sign-in of one user on one device, or an access token for a program. A sign-in lasts seven days; activity extends it to seven
 * days again, at most every 24 hours. An access token has a fixed end.
 */
import type { EventData } from '../../events/catalogue.ts'
import type { LoginId, UserId } from '../../vocabulary/id.ts'
import type { Decider, Decision } from '../decider.ts'

const DAY_MS = 86_400_000
export const LOGIN_LIFE_MS = 7 * DAY_MS
const EXTENSION_AFTER_MS = DAY_MS

export interface LoginState {
  readonly login: {
    readonly loginId: LoginId
    readonly userId: UserId
    readonly expiresAtMs: number
    readonly isAccessToken: boolean
    /** Last recorded use of an access token. */
    readonly usedAtMs: number | null
  } | null
}

export const login: Decider<LoginState> = {
  initial: { login: null },
  evolve: (state, event) => {
    if (event.type === 'SignedIn' || event.type === 'AccessTokenIssued') {
      const { loginId, userId, expiresAt } = event.data
      const isAccessToken = event.type === 'AccessTokenIssued'
      return { login: { loginId, userId, expiresAtMs: Date.parse(expiresAt), isAccessToken, usedAtMs: null } }
    }
    if (event.type === 'AccessTokenUsed' && state.login) return { login: { ...state.login, usedAtMs: Date.parse(event.data.usedAt) } }
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
    if (!login || login.isAccessToken || !isDue(login.expiresAtMs, nowMs)) return []
    return [{ type: 'LoginExtended', data: { loginId: login.loginId, userId: login.userId, expiresAt: expiry(nowMs) } }]
  }

export const issueAccessToken = (data: EventData['AccessTokenIssued']) => (): Decision => [{ type: 'AccessTokenIssued', data }]

/** Whether the use of an access token now is recorded. */
export const isUseDue = (usedAtMs: number | null, nowMs: number) => usedAtMs === null || nowMs >= usedAtMs + EXTENSION_AFTER_MS

export const useAccessToken =
  (nowMs: number) =>
  ({ login }: LoginState): Decision => {
    if (!login?.isAccessToken || !isUseDue(login.usedAtMs, nowMs)) return []
    return [{ type: 'AccessTokenUsed', data: { loginId: login.loginId, userId: login.userId, usedAt: new Date(nowMs).toISOString() } }]
  }

export const signOut = ({ login }: LoginState): Decision =>
  login ? [{ type: 'SignedOut', data: { loginId: login.loginId, userId: login.userId } }] : []

/** Ends the login from another device. */
export const revoke = ({ login }: LoginState): Decision =>
  login ? [{ type: 'LoginRevoked', data: { loginId: login.loginId, userId: login.userId } }] : []

const expiry = (nowMs: number) => new Date(nowMs + LOGIN_LIFE_MS).toISOString()
