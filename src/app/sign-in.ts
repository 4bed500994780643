/** Sign-in: logins, their tokens and how long they live. */
import type { Refusal } from '../domain/refusal.ts'
import type { Account, Caller, RequestOrigin } from './caller.ts'

export interface SignInRequest {
  readonly email: string
  readonly password: string
  readonly rememberMe: boolean
}

export interface SignIns {
  /** Refusals: `unauthenticated` (unknown or wrong, same message), `forbidden` (disabled), `too-many`, `invalid` (email). */
  signIn(request: SignInRequest, origin: RequestOrigin): Promise<{ readonly token: string; readonly account: Account } | Refusal>
  signOut(caller: Caller, origin: RequestOrigin): Promise<void>
  /** The caller behind an access token, judged now from memory; undefined for an unknown, expired or ended one. */
  authenticate(token: string): Caller | undefined
  /** Activity: extends the login when 24 hours have passed since the last time; true when it did. */
  touch(caller: Caller, origin: RequestOrigin): Promise<boolean>
}
