/** Account: from registration on. */
import type { EventData } from '../events/catalogue.ts'
import type { Decider, Decision } from './decider.ts'

export interface UserState {
  readonly registered: boolean
}

export const user: Decider<UserState> = {
  initial: { registered: false },
  evolve: (state, event) => (event.type === 'UserRegistered' ? { registered: true } : state),
}

export const register =
  (account: EventData['UserRegistered']) =>
  (state: UserState): Decision =>
    state.registered ? [] : [{ type: 'UserRegistered', data: account }]

export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128

/** Trimmed and case-folded: two spellings of one address are one address. */
export const normalizeEmail = (email: string) => email.trim().toLowerCase()

/** 3 to 254 characters, one `@`, neither white space nor control characters; no dot is required (contract, section 2). */
export function isEmail(email: string): boolean {
  return email.length >= 3 && email.length <= 254 && /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(email)
}
