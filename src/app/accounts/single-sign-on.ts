/**
 * Signs people in who have signed in at the identity provider. What has to last from one request to the next (the checks, or the identity
 * that is to be linked) is signed and kept by the browser in a cookie, so any node can take the next request.
 */
import type { UserId } from '../../vocabulary/id.ts'
import { grantedTo, type Granted, type GroupRules } from '../../domain/accounts/group-rules.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import type { UserDocument } from '../../../projections/views/users.ts'
import { ProviderAway, type Identity, type IdentityProvider, type SignInChecks } from '../../ports/identity-provider.ts'
import type { Ids } from '../../ports/ids.ts'
import { createSemaphore, type Semaphore } from '../../concurrency/semaphore.ts'
import type { Access } from '../access/access.ts'
import type { Caller, RequestOrigin } from '../access/caller.ts'
import { byUser, type Author } from '../commands/command-handler.ts'
import type { PassingTexts } from '../commands/passing-texts.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { AccountChanges } from './account-changes.ts'
import type { Accounts } from './accounts.ts'
import type { Identities, IdentityKey } from './identities.ts'
import type { LoginMaker, SecondStep, SignedIn } from './login-maker.ts'
import type { SignIns } from './sign-in.ts'
import type { SignInRefusals } from './sign-in-refusals.ts'
import type { Report } from '../../ports/report.ts'

/** How the operator has set it up. */
export interface SingleSignOnRules {
  /** Name of the provider, for people. */
  readonly name: string
  /** Whether the first sign-in of somebody unknown makes an account. */
  readonly signUp: boolean
  /** Whether a verified e-mail address is enough to link an account that has no link yet, without its password. */
  readonly linkByEmail: boolean
  readonly groups: GroupRules
}

/** Why nobody was signed in. `denied`: by the groups. `unverified`: the provider gives no verified e-mail address for a new account. */
export type Denial = 'away' | 'cancelled' | 'denied' | 'disabled' | 'expired' | 'refused' | 'unverified'

/** What came of a sign-in at the provider. */
export type SignInResult =
  | { readonly type: 'signed-in'; readonly signedIn: SignedIn }
  | ({ readonly type: 'second-step' } & SecondStep)
  /** No account is linked yet: the ticket and the password of an account link them. */
  | { readonly type: 'link'; readonly ticket: string }
  | { readonly type: 'denied'; readonly reason: Denial }

export type Completed = SignInResult & Pick<SignInWish, 'returnTo'>

export interface SignInWish {
  /** Path of a page. */
  readonly returnTo: string
  /** Nobody is signed in: the user who is signed in here links the account. */
  readonly onlyLink: boolean
}

export interface SingleSignOn {
  readonly name: string
  /** `pending` is for `complete`. `away`: the provider does not answer. */
  begin(redirectUri: string, wish: SignInWish): Promise<{ readonly url: string; readonly pending: string } | 'away'>
  /** `callback`: the redirect URI with the provider's query. */
  complete(callback: URL, pending: string, origin: RequestOrigin): Promise<Completed>
  isLinked(userId: UserId): Promise<boolean>
  /** Refusals: `invalid` (`password`), `conflict` (the ticket is too old, or it is another user's), `too-many`, `unavailable`. */
  link(caller: Caller, proof: { readonly ticket: string; readonly password: string }, origin: RequestOrigin): Promise<void | Refusal>
  /** Refusal: `not-found`. */
  unlink(userId: UserId, author: Author): Promise<void | Refusal>
  /** An administrator's consent to one link. Refusals: `not-found`, `conflict` (the account of an administrator). */
  giveConsent(userId: UserId, author: Author): Promise<void | Refusal>
  /** Refusal: `not-found`. */
  withdrawConsent(userId: UserId, author: Author): Promise<void | Refusal>
}

export interface SingleSignOnDependencies {
  readonly access: Access
  readonly accounts: Accounts
  readonly accountChanges: AccountChanges
  readonly identities: Identities
  readonly ids: Ids
  readonly provider: IdentityProvider
  readonly readYourWrites: ReadYourWrites
  readonly refusals: Pick<SignInRefusals, 'ofVisitor'>
  readonly rules: SingleSignOnRules
  readonly passingTexts: PassingTexts
  readonly signIns: LoginMaker & Pick<SignIns, 'confirmPassword'>
  readonly onError: Report
}

/** Time to sign in at the provider. */
const PENDING_MS = 15 * 60_000
/** Time to enter the password that links an account. */
const TICKET_MS = 10 * 60_000
const HOME = '/'
const TOO_LATE = refuse('conflict', 'This sign-in is too old: begin again at the identity provider')

interface State extends SingleSignOnDependencies {
  /** For first sign-ins. */
  readonly inTurn: Semaphore
}

export function createSingleSignOn(dependencies: SingleSignOnDependencies): SingleSignOn {
  const deps: State = { ...dependencies, inTurn: createSemaphore(1) }
  const { identities, rules, signIns } = deps
  return {
    name: rules.name,
    begin: (redirectUri, wish) => begin(deps, redirectUri, wish),

    async complete(callback, pending, origin) {
      const begun = deps.passingTexts.read('oidc-pending', pending) as Pending | undefined
      if (!begun) return { type: 'denied', reason: 'expired', returnTo: HOME }
      return { ...(await signInAt(deps, callback, begun, origin)), returnTo: begun.returnTo }
    },

    isLinked: (userId) => identities.isLinked(userId),

    async link(caller, { ticket, password }, origin) {
      const identity = deps.passingTexts.read('oidc-ticket', ticket) as IdentityKey | undefined
      if (!identity) return TOO_LATE
      const wrong = await signIns.confirmPassword(caller, password, origin)
      return wrong ?? identities.link(caller.userId, identity, byUser(caller.userId, 'linkSingleSignOn', origin))
    },
    unlink: (userId, author) => identities.unlink(userId, author),
    giveConsent: (userId, author) => identities.giveConsent(userId, author),
    withdrawConsent: (userId, author) => identities.withdrawConsent(userId, author),
  }
}

async function begin(deps: SingleSignOnDependencies, redirectUri: string, wish: SignInWish) {
  try {
    const { url, checks } = await deps.provider.begin(redirectUri)
    return { url, pending: deps.passingTexts.sign('oidc-pending', { checks, ...wish } satisfies Pending, PENDING_MS) }
  } catch (cause) {
    if (!(cause instanceof ProviderAway)) throw cause
    deps.onError(cause, 'warn')
    return 'away' as const
  }
}

const denied = (reason: Denial) => ({ type: 'denied', reason }) as const

async function signInAt(deps: State, callback: URL, { checks, onlyLink }: Pending, origin: RequestOrigin): Promise<SignInResult> {
  let identity: Identity | 'cancelled' | 'refused'
  try {
    identity = await deps.provider.complete(callback, checks)
  } catch (cause) {
    if (!(cause instanceof ProviderAway)) throw cause
    deps.onError(cause, 'warn')
    return denied('away')
  }
  if (typeof identity === 'string') return denied(identity)
  return onlyLink ? { type: 'link', ticket: signTicket(deps, identity) } : signInIdentity(deps, identity, origin)
}

async function signInIdentity(deps: State, identity: Identity, origin: RequestOrigin): Promise<SignInResult> {
  const { access, identities, rules } = deps
  const granted = grantedTo(identity.groups, rules.groups, access.libraries.values())
  if (!granted) return denied('denied')
  const known = await identities.find(identity)
  // One at a time: a second sign-in of the same new person finds the account that the first has made.
  const userId = known ?? (await deps.inTurn(async () => (await identities.find(identity)) ?? newlyLinked(deps, identity, granted, origin)))
  if (userId === 'unverified') return denied('unverified')
  const user = access.users.get(userId ?? '')
  if (!user) return { type: 'link', ticket: signTicket(deps, identity) }
  return admit(deps, await adjusted(deps, user, granted, origin), origin)
}

/** Of an existing account, if its address is enough; or of a new one. Undefined: a password has to prove whose account it is. */
async function newlyLinked(
  deps: SingleSignOnDependencies,
  identity: Identity,
  granted: Granted,
  origin: RequestOrigin,
): Promise<UserId | 'unverified' | undefined> {
  const { accounts, rules } = deps
  const email = identity.emailVerified ? identity.email : null
  const known = email === null ? undefined : await accounts.findByEmail(email)
  if (known) return linkedByEmail(deps, known, identity, origin)
  if (!rules.signUp) return undefined
  return email === null ? 'unverified' : register(deps, { ...identity, email }, granted, origin)
}

/**
 * By the setting, if the account has no link yet, or by an administrator's consent to this account. A provider may give the address of one
 * person to another: it does not open an account that is linked to the former. An address is never enough for an administrator.
 */
async function linkedByEmail(
  { access, identities, rules }: SingleSignOnDependencies,
  userId: UserId,
  identity: Identity,
  origin: RequestOrigin,
): Promise<UserId | undefined> {
  if (access.users.get(userId)?.role === 'admin') return undefined
  const author = systemOn(userId, origin)
  const isLinked = rules.linkByEmail && !isRefusal(await identities.linkFirst(userId, identity, author))
  const refused = isLinked ? undefined : await identities.linkByConsent(userId, identity, author)
  // A sign-in of the same person at the same time may have used the consent up.
  return refused ? identities.find(identity) : userId
}

/** With a random password that nobody knows: the account signs in at the provider until somebody sets another. */
async function register(
  { accounts, identities, ids, readYourWrites }: SingleSignOnDependencies,
  { email, name, issuer, subject }: IdentityKey & { readonly email: string; readonly name: string | null },
  { role = 'user', ...grants }: Granted,
  origin: RequestOrigin,
): Promise<UserId | 'unverified' | undefined> {
  const author = { actor: 'system', command: 'singleSignOn' }
  const account = { email, password: ids.token(), role, ...grants }
  const [place = email] = email.split('@', 1)
  const named = await accounts.register({ ...account, name: name ?? place }, author)
  const made = isRefusal(named) && named.path === 'name' ? await accounts.register({ ...account, name: place }, author) : named
  // The address is unusable, or somebody has just taken it: perhaps the same person on another node.
  if (isRefusal(made)) return made.refusal === 'conflict' ? identities.find({ issuer, subject }) : 'unverified'
  await readYourWrites.waitFor(made.position)
  const refused = await identities.link(made.userId, { issuer, subject }, systemOn(made.userId, origin))
  return refused ? undefined : made.userId
}

const systemOn = (subject: UserId, origin: RequestOrigin): Author => ({ actor: 'system', command: 'singleSignOn', origin, subject })

/** Gives the account what the groups grant now. The last administrator stays one. */
async function adjusted(
  deps: SingleSignOnDependencies,
  user: UserDocument,
  granted: Granted,
  origin: RequestOrigin,
): Promise<UserDocument> {
  const { role = user.role, libraryAccess = user.libraryAccess, libraryIds = user.libraryIds } = granted
  const sameLibraries = libraryAccess === user.libraryAccess && String(libraryIds.toSorted()) === String(user.libraryIds.toSorted())
  const wanted = { ...(role === user.role ? {} : { role }), ...(sameLibraries ? {} : { libraryAccess, libraryIds }) }
  if (Object.keys(wanted).length === 0) return user
  const changed = await deps.accountChanges.change(user.id, wanted, systemOn(user.id, origin))
  if (isRefusal(changed)) return user
  await deps.readYourWrites.waitFor(changed)
  return deps.access.users.get(user.id) ?? user
}

async function admit({ signIns, refusals }: SingleSignOnDependencies, user: UserDocument, origin: RequestOrigin): Promise<SignInResult> {
  const admitted = await signIns.admit(user, { rememberMe: true, command: 'singleSignOn' }, origin)
  if (isRefusal(admitted)) {
    await refusals.ofVisitor({ userId: user.id, emailHmac: null, reason: 'disabled' }, origin)
    return denied('disabled')
  }
  return 'token' in admitted ? { type: 'signed-in', signedIn: admitted } : { type: 'second-step', challenge: admitted.challenge }
}

/** What the browser keeps until it comes back from the provider. */
interface Pending extends SignInWish {
  readonly checks: SignInChecks
}

const signTicket = ({ passingTexts }: SingleSignOnDependencies, { issuer, subject }: IdentityKey) =>
  passingTexts.sign('oidc-ticket', { issuer, subject } satisfies IdentityKey, TICKET_MS)
