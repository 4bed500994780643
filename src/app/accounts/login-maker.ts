/** Makes logins for people who have proved who they are. */
import type { LoginId, UserId } from '../../vocabulary/id.ts'
import type { UserDocument } from '../../../projections/views/users.ts'
import { loginStream } from '../../events/streams.ts'
import { login, signIn, signOut } from '../../domain/accounts/login.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import { hashToken, type Access } from '../access/access.ts'
import type { Account, RequestOrigin } from '../access/caller.ts'
import { byUser, type CommandHandler } from '../commands/command-handler.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { Accounts } from './accounts.ts'
import type { SecondFactors } from './second-factors.ts'

export interface SignedIn {
  readonly token: string
  readonly account: Account
  readonly rememberMe: boolean
}

export interface SecondStep {
  /** Proves the right password for a few minutes. */
  readonly challenge: string
}

/** Makes logins without a password. */
export interface LoginMaker {
  /** For a person who owns the data folder. */
  open(userId: UserId, rememberMe: boolean, origin: RequestOrigin): Promise<{ readonly token: string; readonly loginId: LoginId }>
  /** For a person who has proved to be this user: a login, or the second step. Refusal: `forbidden` (disabled). */
  admit(user: UserDocument, how: Admission, origin: RequestOrigin): Promise<SignedIn | SecondStep | Refusal>
}

export interface Admission {
  readonly rememberMe: boolean
  /** For the audit; default: `signIn`. */
  readonly command?: string
}

export interface LoginMaking {
  readonly access: Access
  readonly accounts: Pick<Accounts, 'open'>
  readonly commandHandler: CommandHandler
  readonly clock: Clock
  readonly ids: Ids
  readonly readYourWrites: ReadYourWrites
  readonly secondFactors: Pick<SecondFactors, 'challengeOf'>
}

export const WRONG = refuse('unauthenticated', 'Invalid email or password')
export const DISABLED = refuse('forbidden', 'This account is disabled')

export const loginTarget = (loginId: LoginId) => ({ stream: loginStream(loginId), decider: login })

export async function openLogin(
  { ids, commandHandler, clock, readYourWrites }: LoginMaking,
  userId: UserId,
  { rememberMe, command = 'signIn' }: Admission,
  origin: RequestOrigin,
) {
  const token = ids.token()
  const loginId = ids.next<'login'>()
  const data = { loginId, userId, tokenHash: hashToken(token), rememberMe }
  const result = await commandHandler.execute(loginTarget(loginId), signIn(data, clock.now()), byUser(userId, command, origin))
  if (!isRefusal(result)) await readYourWrites.waitFor(result.position)
  return { token, loginId }
}

export async function admit(
  state: LoginMaking,
  user: UserDocument,
  how: Admission,
  origin: RequestOrigin,
): Promise<SignedIn | SecondStep | Refusal> {
  if (!user.enabled) return DISABLED
  const challenge = await state.secondFactors.challengeOf(user, how.rememberMe)
  return challenge === undefined ? signedInAs(state, user, how, origin) : { challenge }
}

/**
 * A change of the password ends the logins that exist then. One that was stored just after it, by a password that was checked before, is
 * ended here: once the login is visible, so is every change before it.
 */
export async function signedInAs(
  state: LoginMaking,
  user: UserDocument,
  how: Admission,
  origin: RequestOrigin,
): Promise<SignedIn | Refusal> {
  const { token, loginId } = await openLogin(state, user.id, how, origin)
  const now = unchanged(state, user)
  if (now?.enabled) return { token, account: await state.accounts.open(user), rememberMe: how.rememberMe }
  await state.commandHandler.execute(loginTarget(loginId), signOut, byUser(user.id, 'signOut', origin))
  return now ? DISABLED : WRONG
}

/** The user now; undefined if the account has ended or has another password since. */
export function unchanged({ access }: Pick<LoginMaking, 'access'>, { id, passwordVersion }: UserDocument): UserDocument | undefined {
  const now = access.users.get(id)
  return now?.passwordVersion === passwordVersion ? now : undefined
}
