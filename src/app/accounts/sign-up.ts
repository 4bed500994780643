/** Lets people create their own accounts, as far as the operator allows it. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import type { Counters } from '../../ports/counters.ts'
import type { Access } from '../access/access.ts'
import type { Accounts } from './accounts.ts'
import { countTry, tooMany } from './counted-tries.ts'
import { networkOf, type Account, type RequestOrigin } from '../access/caller.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { LoginMaker } from './login-maker.ts'

/**
 * `off`: only administrators create accounts. `first`: the first visitor becomes an administrator. `open`: everybody may sign up as a user.
 */
export type SignUpMode = 'off' | 'first' | 'open'

export interface SignUpRequest {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly setupToken?: string
}

export interface SignUpOptions {
  /** `first` only while there is no account. */
  readonly mode: SignUpMode
  readonly needsSetupToken: boolean
}

export interface SignUps {
  /** Why nobody can sign up now; undefined if sign-up is possible. */
  closed(): Refusal | undefined
  /** Who can sign up now, and whether the set-up token is needed. */
  options(): SignUpOptions
  /** Refusals: `forbidden` (closed, or without the set-up token), `too-many`, `invalid`, `conflict` (the address is taken). */
  signUp(request: SignUpRequest, origin: RequestOrigin): Promise<{ readonly token: string; readonly account: Account } | Refusal>
}

export interface SignUpDependencies {
  readonly access: Access
  readonly accounts: Accounts
  readonly counters: Counters
  readonly readYourWrites: ReadYourWrites
  readonly signIns: LoginMaker
  readonly mode: SignUpMode
  /** The token that the first one must send. */
  readonly setupToken: string | undefined
}

/** Wrong set-up tokens per network before it is locked for the window. */
const FAILURES = { max: 10, windowMs: 600_000 }
/** Accounts that one network may try to create. The limit exists because each answer reveals whether the address is taken. */
const ATTEMPTS = { max: 20, windowMs: 3_600_000 }
const CLOSED = refuse('forbidden', 'Sign-up is off: ask an administrator for an account')
const WRONG_TOKEN = refuse('forbidden', 'The set-up token is missing or wrong')

export function createSignUps(deps: SignUpDependencies): SignUps {
  const { access, accounts, counters, readYourWrites, signIns, mode, setupToken } = deps

  const closed = () => (mode === 'off' || (mode === 'first' && access.users.size > 0) ? CLOSED : undefined)

  async function refuseToken({ setupToken: given }: SignUpRequest, origin: RequestOrigin): Promise<Refusal | undefined> {
    if (mode !== 'first' || setupToken === undefined) return undefined
    const locked = 'Too many wrong set-up tokens'
    const tries = { key: `sign-up.${networkOf(origin)}`, budget: FAILURES, locked, onRight: 'giveBack' } as const
    const right = await countTry(counters, tries, async () => given !== undefined && isSame(given, setupToken))
    if (isRefusal(right)) return right
    return right ? undefined : WRONG_TOKEN
  }

  return {
    closed,

    options() {
      const now = closed() ? 'off' : mode
      return { mode: now, needsSetupToken: now === 'first' && setupToken !== undefined }
    },

    async signUp(request, origin) {
      const refused = closed() ?? (await refuseToken(request, origin))
      if (refused) return refused
      const attempt = await counters.spend(`sign-up.attempts.${networkOf(origin)}`, ATTEMPTS)
      if (!attempt.allowed) return tooMany('Too many attempts to sign up', attempt)
      const { name, email, password } = request
      const author = { actor: 'system', command: 'signUp' }
      const made =
        mode === 'first'
          ? await accounts.signUpFirstAdmin({ name, email, password }, author)
          : await accounts.register({ name, email, password, role: 'user' }, author)
      // Another visitor was faster.
      if (isRefusal(made)) return mode === 'first' && made.refusal === 'conflict' ? CLOSED : made
      await readYourWrites.waitFor(made.position)
      const user = access.users.get(made.userId)
      if (!user) return CLOSED
      const { token } = await signIns.open(made.userId, true, origin)
      return { token, account: await accounts.open(user) }
    },
  }
}

/** Compares in constant time. */
const isSame = (a: string, b: string) => timingSafeEqual(digest(a), digest(b))
const digest = (text: string) => createHash('sha256').update(text).digest()
