/** Registers accounts, finds them by e-mail address, and decrypts their personal fields. */
import { randomInt } from 'node:crypto'
import type { LibraryAccess, Role } from '../../events/account-events.ts'
import type { LibraryId, UserId } from '../../vocabulary/id.ts'
import { later, type Position } from '../../events/position.ts'
import { userStream } from '../../events/streams.ts'
import type { UserDocument } from '../../../projections/views/users.ts'
import { nameFault } from '../../domain/accounts/name-fault.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import { characterCount } from '../../vocabulary/character-count.ts'
import { isEmail, normalizeEmail, PASSWORD_MAX, PASSWORD_MIN, register, user } from '../../domain/accounts/user.ts'
import type { Clock } from '../../ports/clock.ts'
import { UnreadableEvent } from '../../ports/event-log.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Vault } from '../../ports/vault.ts'
import type { AdminSeats } from './admin-seats.ts'
import { networkOf, type Account } from '../access/caller.ts'
import type { Author, CommandHandler } from '../commands/command-handler.ts'
import type { NameClaims, NameUse, Taker } from './name-claims.ts'
import { newId } from '../commands/new-id.ts'
import type { Passwords } from './password-hash.ts'
import type { Sealer } from '../commands/sealer.ts'

export interface NewAccount {
  readonly email: string
  readonly name: string
  readonly password: string
  readonly role: Role
  readonly libraryAccess?: LibraryAccess
  readonly libraryIds?: readonly LibraryId[]
  readonly maxConcurrentStreams?: number | null
}

export interface Registered {
  readonly userId: UserId
  readonly position: Position
}

export interface Accounts {
  /**
   * Refusals: `invalid` (`email`, `name`, `password`), `conflict` (the address is taken), `unavailable` (too many passwords are being
   * hashed).
   */
  register(account: NewAccount, author: Author): Promise<Registered | Refusal>
  /**
   * Makes the first admin at the first start, on exactly one of N nodes; undefined if an admin exists already. Waits for at most a minute
   * while another node makes it: after that the other node is taken for dead.
   */
  registerFirstAdmin(account: Omit<NewAccount, 'role'>, author: Author): Promise<Registered | Refusal | undefined>
  /**
   * Makes the first admin by signing up: one append decides which of several concurrent requests wins. Further refusal: `conflict` for the
   * others.
   */
  signUpFirstAdmin(account: Omit<NewAccount, 'role'>, author: Author): Promise<Registered | Refusal>
  /** The user who has this e-mail address. */
  findByEmail(email: string): Promise<UserId | undefined>
  /** The user who had the address, if the account has ended and a crash prevented the release of the address. */
  findEnded(email: string): Promise<UserId | undefined>
  /** Reserves an address for an account that is about to use it. Refusal: `conflict`. */
  takeEmail(email: string, taker: Taker): Promise<Position | Refusal>
  releaseEmail(email: string, holder: Taker): Promise<Position>
  /** The account with its personal fields decrypted; a field that cannot be decrypted any more reads "erased user". */
  open(user: UserDocument): Promise<Account>
  /** Names an e-mail address without revealing it. */
  emailHmac(email: string): Promise<string>
}

export interface AccountsDependencies {
  readonly commandHandler: CommandHandler
  readonly names: NameClaims
  readonly seats: AdminSeats
  readonly vault: Vault
  readonly passwords: Passwords
  readonly sealer: Sealer
  readonly ids: Ids
  readonly clock: Clock
}

export const ERASED = 'erased user'
const FIRST_VERSION = 1
const VERSION_STEP_MAX = 2 ** 32
const LOOK_EVERY_MS = 250

interface State extends AccountsDependencies {
  /** Cache by document: every change makes a new document. */
  readonly opened: WeakMap<UserDocument, Account>
}

export function createAccounts(deps: AccountsDependencies): Accounts {
  const { names, sealer, ids } = deps
  const state: State = { ...deps, opened: new WeakMap() }

  return {
    takeEmail: (email, taker) => takeEmail(state, email, taker),
    releaseEmail: (email, holder) => names.release({ kind: 'email', value: email }, holder),
    register: async (account, author) => faultOf(account) ?? registerAs(state, newId('user', ids, author.origin), account, author),
    registerFirstAdmin: (account, author) => registerFirstAdmin(state, account, author),
    signUpFirstAdmin: (account, author) => signUpFirstAdmin(state, account, author),

    async findByEmail(text) {
      const email = normalizeEmail(text)
      const userId = await names.holder('email', email)
      return userId && (await hasEmail(state, userId, email)) ? userId : undefined
    },

    async findEnded(text) {
      const email = normalizeEmail(text)
      const userId = await names.holder('email', email)
      const ended = userId && (await load(state, userId))
      return ended?.email && !ended.account && (await sealer.open(ended.email)) === email ? userId : undefined
    },
    open: (document) => open(state, document),

    emailHmac: (email) => names.hmac('email', normalizeEmail(email)),
  }
}

const load = ({ commandHandler }: State, userId: UserId) => commandHandler.load({ stream: userStream(userId), decider: user })

/** A stream that cannot be read has events, so the account was registered. */
async function isRegistered(state: State, userId: UserId): Promise<boolean> {
  try {
    return (await load(state, userId)).registered
  } catch (cause) {
    if (cause instanceof UnreadableEvent) return true
    throw cause
  }
}

/** Whether the account exists and has this address: a claim alone may be left over from a crash. */
const hasEmail = async (state: State, userId: UserId, email: string): Promise<boolean> => (await emailUse(state, userId, email)) === 'used'

/** An account that has ended may be unable to free its address: after the restoration of a backup its key is gone before its end. */
async function emailUse(state: State, userId: UserId, email: string): Promise<NameUse> {
  const { registered, account } = await load(state, userId)
  if (!account) return registered ? 'ended' : 'unused'
  return (await state.sealer.open(account.email)) === email ? 'used' : 'unused'
}

const takeEmail = (state: State, email: string, taker: Taker) =>
  state.names.take({ kind: 'email', value: email }, taker, (holder) => emailUse(state, holder, email))

/** `userId` is new, or from an earlier attempt of the same request. */
async function registerAs(state: State, userId: UserId, account: NewAccount, author: Author): Promise<Registered | Refusal> {
  const { passwords, vault, sealer, commandHandler, seats } = state
  // Hash first: a password that is refused here leaves no address claimed.
  const hash = await passwords.hash(account.password, author.origin ? networkOf(author.origin) : null)
  if (isRefusal(hash)) return hash
  const email = normalizeEmail(account.email)
  const claimed = await takeEmail(state, email, { userId, author })
  if (isRefusal(claimed)) return claimed
  await vault.putPasswordHash(userId, FIRST_VERSION, hash)
  const registered = {
    userId,
    email: await sealer.seal(userId, email),
    name: await sealer.seal(userId, account.name.trim()),
    role: account.role,
    libraryAccess: account.libraryAccess ?? 'all',
    libraryIds: account.libraryIds ?? [],
    maxConcurrentStreams: account.maxConcurrentStreams ?? null,
    passwordVersion: FIRST_VERSION,
  } as const
  const result = await commandHandler.execute({ stream: userStream(userId), decider: user }, register(registered), author)
  if (isRefusal(result)) return result
  const seated = account.role === 'admin' ? await seats.take(userId, author) : claimed
  return { userId, position: [claimed, result.position, seated].reduce(later) }
}

async function takeFirst(state: State, userId: UserId, email: string, author: Author): Promise<Position | Refusal> {
  const { names } = state
  // Looks at the e-mail claim too, so that both claims of an interrupted registration age from the same moment.
  await names.holder('email', normalizeEmail(email))
  return names.take({ kind: 'first-admin', value: '' }, { userId, author }, async (holder) =>
    (await isRegistered(state, holder)) ? 'used' : 'unused',
  )
}

async function registerFirstAdmin(
  state: State,
  account: Omit<NewAccount, 'role'>,
  author: Author,
): Promise<Registered | Refusal | undefined> {
  const { ids, names, clock } = state
  const userId = ids.next<'user'>()
  const admin = { ...account, role: 'admin' } as const
  const fault = faultOf(account)
  if (fault) return fault
  for (;;) {
    const taken = await takeFirst(state, userId, account.email, author)
    const made = isRefusal(taken) ? taken : await registerAs(state, userId, admin, author)
    if (!isRefusal(made)) return made
    // The claim may have been taken over from a node that was only slow and still registers the account.
    const holder = isRefusal(taken) ? await names.holder('first-admin', '') : await names.holder('email', normalizeEmail(account.email))
    if (holder && holder !== userId && (await isRegistered(state, holder))) return undefined
    if (!isRefusal(taken)) return made
    await clock.sleep(LOOK_EVERY_MS)
  }
}

async function signUpFirstAdmin(state: State, account: Omit<NewAccount, 'role'>, author: Author): Promise<Registered | Refusal> {
  const fault = faultOf(account)
  if (fault) return fault
  const userId = state.ids.next<'user'>()
  const taken = await takeFirst(state, userId, account.email, author)
  return isRefusal(taken) ? taken : registerAs(state, userId, { ...account, role: 'admin' }, author)
}

async function open({ opened, sealer }: State, document: UserDocument): Promise<Account> {
  const known = opened.get(document)
  if (known) return known
  // List the fields: an export contains all of them, and internal fields of the view must not appear in it.
  const { id, role, enabled, libraryAccess, libraryIds, maxConcurrentStreams, createdAt, updatedAt, lastSeenAt } = document
  const { linked, linkConsentUntil } = document
  const rights = { role, enabled, libraryAccess, libraryIds, maxConcurrentStreams, linked, linkConsentUntil }
  const plain = { id, ...rights, createdAt, updatedAt, lastSeenAt }
  const [email, name] = [await sealer.open(document.email), await sealer.open(document.name)]
  const account = { ...plain, email: email ?? ERASED, name: name ?? ERASED }
  opened.set(document, account)
  return account
}

/** Random step: two concurrent changes of a password must not choose the same version, or one would overwrite the other's hash. */
export const nextVersion = (version: number) => version + randomInt(1, VERSION_STEP_MAX)

/** What is wrong with these fields of an account; undefined if nothing. */
export function faultOf({ email, name, password }: Partial<Pick<NewAccount, 'email' | 'name' | 'password'>>): Refusal | undefined {
  if (email !== undefined && !isEmail(normalizeEmail(email))) {
    return refuse('invalid', 'An e-mail address has 3 to 254 characters, one @ and no hidden characters', { path: 'email' })
  }
  const badName = name === undefined ? undefined : nameFault(name)
  if (badName) return badName
  const length = password === undefined ? PASSWORD_MIN : characterCount(password)
  if (length < PASSWORD_MIN || length > PASSWORD_MAX) {
    return refuse('invalid', `A password has ${PASSWORD_MIN} to ${PASSWORD_MAX} characters`, { path: 'password' })
  }
  return undefined
}
