/** Signs users in and out, and manages the lifetime of login tokens. */
import type { UserDocument } from '../../../projections/views/users.ts'
import { signOut } from '../../domain/accounts/login.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import { isEmail, normalizeEmail } from '../../domain/accounts/user.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Counters } from '../../ports/counters.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Vault } from '../../ports/vault.ts'
import type { Access } from '../access/access.ts'
import type { AccountChanges } from './account-changes.ts'
import type { Accounts } from './accounts.ts'
import { networkOf, type Account, type Caller, type RequestOrigin } from '../access/caller.ts'
import { byUser, type CommandHandler } from '../commands/command-handler.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { JsonObject } from '../../events/envelope.ts'
import type { PasskeySite } from '../../ports/passkeys.ts'
import {
  admit,
  DISABLED,
  loginTarget,
  openLogin,
  signedInAs,
  unchanged,
  WRONG,
  type LoginMaker,
  type SecondStep,
  type SignedIn,
} from './login-maker.ts'
import { countTry, tooMany, type Tries } from './counted-tries.ts'
import { touchLogin } from './login-use.ts'
import type { Passkeys } from './passkeys.ts'
import type { Passwords } from './password-hash.ts'
import type { SecondFactors } from './second-factors.ts'
import type { SignInRefusals } from './sign-in-refusals.ts'

export interface SignInRequest {
  readonly email: string
  readonly password: string
  readonly rememberMe: boolean
}

export interface PasswordChange {
  readonly currentPassword: string
  readonly newPassword: string
  readonly endOthers: boolean
}

export interface SignIns {
  /**
   * Refusals: `unauthenticated` (unknown or wrong, same message), `forbidden` (disabled), `too-many`, `invalid` (email), `unavailable` (too
   * many passwords are being checked).
   */
  signIn(request: SignInRequest, origin: RequestOrigin): Promise<SignedIn | SecondStep | Refusal>
  /**
   * The second step of signing in, for an account with a second factor. Refusals: `unauthenticated` (the challenge is too old or forged),
   * `invalid` (`code`), `too-many`.
   */
  signInWithCode(step: SecondStep & { readonly code: string }, origin: RequestOrigin): Promise<SignedIn | Refusal>
  /** What a passkey has to sign instead; undefined if the account has none. Refusal: `unauthenticated`. */
  passkeyOptions(step: SecondStep, site: PasskeySite): Promise<JsonObject | undefined | Refusal>
  /** Refusals: `unauthenticated`, `invalid` (`response`). */
  signInWithPasskey(
    step: SecondStep & { readonly response: JsonObject },
    site: PasskeySite,
    origin: RequestOrigin,
  ): Promise<SignedIn | Refusal>
  signOut(caller: Caller, origin: RequestOrigin): Promise<void>
  /** The caller behind an access token, checked in memory; undefined for an unknown, expired or ended login. */
  authenticate(token: string): Caller | undefined
  /**
   * Changes the caller's own password. `endOthers`: ends all other logins in the same step.
   *
   * Refusals: `invalid` (`currentPassword`, `newPassword`), `too-many`, `unavailable` (too many passwords are being checked).
   */
  changePassword(caller: Caller, change: PasswordChange, origin: RequestOrigin): Promise<Account | Refusal>
  /**
   * Checks the caller's own password before an irreversible action.
   *
   * Refusals: `invalid` (`password`), `too-many`, `unavailable` (too many passwords are being checked).
   */
  confirmPassword(caller: Caller, password: string, origin: RequestOrigin): Promise<void | Refusal>
  /**
   * Records activity: extends the login if 24 hours have passed since the last extension; true if it did. Of an access token, only the day
   * of use is recorded.
   */
  touch(caller: Caller, origin: () => RequestOrigin): Promise<boolean>
  /** Writes the refusals that are only counted so far. Call it before a stop. */
  flushRefusals(this: void): Promise<void>
}

/** Failures per account and network before it is locked for the window. */
const FAILURES = { max: 10, windowMs: 600_000 }

const LOCKED = 'Too many failed sign-ins: try again later'
const WRONG_PASSKEY = refuse('invalid', 'The passkey gave no valid answer', { path: 'response' })

export interface SignInDependencies {
  readonly access: Access
  readonly accounts: Accounts
  readonly accountChanges: AccountChanges
  readonly commandHandler: CommandHandler
  readonly counters: Counters
  readonly clock: Clock
  readonly readYourWrites: ReadYourWrites
  readonly ids: Ids
  readonly passwords: Passwords
  readonly refusals: SignInRefusals
  readonly secondFactors: Pick<SecondFactors, 'challengeOf' | 'readChallenge' | 'check'>
  readonly passkeys: Pick<Passkeys, 'requestFor' | 'isSigned'>
  readonly vault: Vault
}

type State = SignInDependencies

export function createSignIns(state: SignInDependencies): SignIns & LoginMaker {
  const { access, commandHandler, readYourWrites, refusals } = state

  return {
    open: (userId, rememberMe, origin) => openLogin(state, userId, { rememberMe }, origin),
    admit: (user, how, origin) => admit(state, user, how, origin),
    flushRefusals: refusals.flush,
    signIn: (request, origin) => signInAs(state, request, origin),
    signInWithCode: ({ challenge, code }, origin) =>
      completeSignIn(state, challenge, (user) => state.secondFactors.check(user.id, code, byUser(user.id, 'signIn', origin)), origin),

    async passkeyOptions({ challenge }, site) {
      const challenged = state.secondFactors.readChallenge(challenge)
      return challenged ? state.passkeys.requestFor(challenged.user.id, challenge, site) : TOO_LATE
    },

    signInWithPasskey: ({ challenge, response }, site, origin) =>
      completeSignIn(
        state,
        challenge,
        async (user) => ((await state.passkeys.isSigned(user.id, challenge, response, site)) ? undefined : WRONG_PASSKEY),
        origin,
      ),

    async signOut(caller, origin) {
      const result = await commandHandler.execute(loginTarget(caller.loginId), signOut, byUser(caller.userId, 'signOut', origin))
      if (!isRefusal(result)) await readYourWrites.waitFor(result.position)
    },
    changePassword: (caller, change, origin) => changePassword(state, caller, change, origin),

    async confirmPassword(caller, password, origin) {
      const user = access.users.get(caller.userId)
      return user ? refuseWrong(state, user, { password, path: 'password' }, origin) : WRONG
    },

    authenticate: (token) => access.callerByToken(token),
    touch: (caller, origin) => touchLogin(state, caller, origin),
  }
}

/** Checks a password at most as often as the tries allow: the eleventh of many at once is refused when its turn comes. */
async function checkPassword(
  { counters, passwords }: State,
  tries: Tries,
  { password, hash, origin }: { readonly password: string; readonly hash: string | undefined; readonly origin: RequestOrigin },
): Promise<boolean | Refusal> {
  const left = await counters.peek(tries.key, tries.budget)
  if (!left.allowed) return tooMany(tries.locked, left)
  return passwords.verify(password, hash, networkOf(origin), (isRight) => countTry(counters, tries, isRight))
}

/** Refuses unless it is the password of the caller's account; `path` names the member of the request that holds it. */
async function refuseWrong(state: State, user: UserDocument, tried: { password: string; path: string }, origin: RequestOrigin) {
  const { refusals } = state
  const hash = await state.vault.passwordHash(user.id, user.passwordVersion)
  const tries = { key: `password.${user.id}`, budget: FAILURES, locked: LOCKED, onRight: 'giveBack' } as const
  const right = await checkPassword(state, tries, { password: tried.password, hash, origin })
  if (isRefusal(right)) {
    if (right.refusal === 'too-many') await refusals.ofUser(user.id, 'locked', origin)
    return right
  }
  if (right) return undefined
  await refusals.ofUser(user.id, 'current-password', origin)
  return refuse('invalid', 'This is not the current password', { path: tried.path })
}

async function signInAs(
  state: State,
  { email, password, rememberMe }: SignInRequest,
  origin: RequestOrigin,
): Promise<SignedIn | SecondStep | Refusal> {
  const { accounts, access, refusals, passwords } = state
  if (!isEmail(normalizeEmail(email))) return refuse('invalid', 'This is not an e-mail address', { path: 'email' })
  const emailHmac = await accounts.emailHmac(email)
  const found = access.users.get((await accounts.findByEmail(email)) ?? '')
  const refused = { userId: found?.id ?? null, emailHmac }
  const hash = found && (await state.vault.passwordHash(found.id, found.passwordVersion))
  const tries = { key: `sign-in.${emailHmac}.${networkOf(origin)}`, budget: FAILURES, locked: LOCKED, onRight: 'clear' } as const
  const isRight = await checkPassword(state, tries, { password, hash, origin })
  if (isRefusal(isRight)) {
    if (isRight.refusal === 'too-many') await refusals.ofVisitor({ ...refused, reason: 'locked' }, origin)
    return isRight
  }
  // The check takes a while, in which the account may have got another password.
  const user = found && isRight ? unchanged(state, found) : undefined
  if (!user) {
    await refusals.ofVisitor({ ...refused, reason: found ? 'password' : 'unknown' }, origin)
    return WRONG
  }
  if (!user.enabled) {
    await refusals.ofVisitor({ ...refused, reason: 'disabled' }, origin)
    return DISABLED
  }
  if (hash && passwords.isOutdated(hash)) {
    await state.accountChanges.rehash(user.id, { password, version: user.passwordVersion }, networkOf(origin))
  }
  return admit(state, user, { rememberMe }, origin)
}

const TOO_LATE = refuse('unauthenticated', 'This sign-in is too old: begin again with the password')

/** The second step of signing in. */
async function completeSignIn(
  state: State,
  challenge: string,
  check: (user: UserDocument) => Promise<void | Refusal>,
  origin: RequestOrigin,
): Promise<SignedIn | Refusal> {
  const { refusals, secondFactors } = state
  const challenged = secondFactors.readChallenge(challenge)
  if (!challenged) return TOO_LATE
  const { user, rememberMe } = challenged
  const refused = await check(user)
  if (refused) {
    const reason = refused.refusal === 'too-many' ? 'locked' : 'second-factor'
    await refusals.ofVisitor({ userId: user.id, emailHmac: null, reason }, origin)
    return refused
  }
  return signedInAs(state, user, { rememberMe }, origin)
}

async function changePassword(
  state: State,
  caller: Caller,
  { currentPassword, newPassword, endOthers }: PasswordChange,
  origin: RequestOrigin,
): Promise<Account | Refusal> {
  const { access, readYourWrites, accounts } = state
  const user = access.users.get(caller.userId)
  if (!user) return WRONG
  const refused = await refuseWrong(state, user, { password: currentPassword, path: 'currentPassword' }, origin)
  if (refused) return refused
  const ending = endOthers ? { except: caller.loginId } : 'none'
  const author = byUser(caller.userId, 'changePassword', origin)
  const changed = await state.accountChanges.setPassword(user.id, { password: newPassword, ending }, author)
  if (isRefusal(changed)) return changed.path === 'password' ? { ...changed, path: 'newPassword' } : changed
  await readYourWrites.waitFor(changed)
  return accounts.open(access.users.get(user.id) ?? user)
}
