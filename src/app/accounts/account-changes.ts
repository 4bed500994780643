/** Changes accounts, for requests and for the command line. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { LibraryAccess, Role } from '../../events/account-events.ts'
import type { LibraryId, UserId } from '../../vocabulary/id.ts'
import { later, START, type Position } from '../../events/position.ts'
import { erasureStream, userStream } from '../../events/streams.ts'
import { erasure, erasureOf, shredKey } from '../../domain/accounts/erasure.ts'
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import { changeAccount, changePassword, erase, normalizeEmail, remove, user } from '../../domain/accounts/user.ts'
import type { AccountState, EndingLogins, UserState } from '../../domain/accounts/user.ts'
import type { Decision } from '../../domain/decider.ts'
import type { Vault } from '../../ports/vault.ts'
import { faultOf, nextVersion, type Accounts } from './accounts.ts'
import { isAdmin, type AdminSeats } from './admin-seats.ts'
import { networkOf } from '../access/caller.ts'
import type { Author, CommandHandler } from '../commands/command-handler.ts'
import type { NameClaims } from './name-claims.ts'
import type { Passwords } from './password-hash.ts'
import type { Sealer } from '../commands/sealer.ts'
import { NO_SUCH_USER } from '../../domain/accounts/refusals.ts'

/** The wanted values; an absent one stays as it is. */
export interface WantedAccount {
  readonly name?: string
  readonly email?: string
  readonly role?: Role
  readonly enabled?: boolean
  readonly libraryAccess?: LibraryAccess
  readonly libraryIds?: readonly LibraryId[]
  readonly maxConcurrentStreams?: number | null
}

/** Each method returns the position of the event that it has stored. */
export interface AccountChanges {
  /** Refusals: `not-found`, `invalid` (`name`, `email`), `conflict` (the address is taken, or it is the last admin). */
  change(userId: UserId, wanted: WantedAccount, author: Author): Promise<Position | Refusal>
  /** Refusals: `not-found`, `invalid` (`password`), `unavailable` (too many passwords are being hashed). */
  setPassword(
    userId: UserId,
    change: { readonly password: string; readonly ending: EndingLogins },
    author: Author,
  ): Promise<Position | Refusal>
  /** Stores a hash of the same password with today's parameters under the same version, so that no login ends. Skipped when busy. */
  rehash(userId: UserId, known: { readonly password: string; readonly version: number }, address: string | null): Promise<void>
  /** Hides the account and frees its address. Refusals: `not-found`, `conflict` (last admin). */
  remove(userId: UserId, author: Author): Promise<Position | Refusal>
  /**
   * As `remove`, and makes the personal fields unreadable. Accepts an account that was removed before; for one that was erased before, it
   * completes the steps that a crash left undone.
   */
  erase(userId: UserId, author: Author): Promise<Position | Refusal>
  /** Frees the address of an erased user, destroys the user's key, and records that. Idempotent. */
  shred(this: void, userId: UserId, author: Author): Promise<Position>
}

export interface AccountChangesDependencies {
  readonly accounts: Accounts
  readonly commandHandler: CommandHandler
  readonly names: Pick<NameClaims, 'release'>
  readonly passwords: Passwords
  readonly sealer: Sealer
  readonly seats: AdminSeats
  readonly vault: Vault
}

export function createAccountChanges(deps: AccountChangesDependencies): AccountChanges {
  const { seats } = deps

  return {
    shred: (userId, author) => shred(deps, userId, author),

    async change(userId, wanted, author) {
      const fault = faultOf(wanted)
      return fault ?? seats.exclusively(userId, () => changeNow(deps, userId, wanted, author))
    },
    setPassword: (userId, change, author) => setPassword(deps, userId, change, author),
    rehash: (userId, known, address) => rehash(deps, userId, known, address),

    remove: (userId, author) => seats.exclusively(userId, () => removeNow(deps, userId, author)),

    async erase(userId, author) {
      const erased = await seats.exclusively(userId, () => end(deps, userId, erase(userId), author))
      return isRefusal(erased) ? erased : later(erased, await shred(deps, userId, author))
    },
  }
}

const target = (userId: UserId) => ({ stream: userStream(userId), decider: user })

/** Claims the new address for the account, if it differs from the current one. */
async function claimEmail(
  { sealer, accounts }: AccountChangesDependencies,
  account: AccountState,
  wanted: string | undefined,
  author: Author,
) {
  const before = await sealer.open(account.email)
  const email = wanted === undefined ? before : normalizeEmail(wanted)
  if (email === undefined || email === before) return undefined
  const claimed = await accounts.takeEmail(email, { userId: account.userId, author })
  return isRefusal(claimed) ? claimed : { email, before }
}

async function sealedChange(
  { sealer }: AccountChangesDependencies,
  account: AccountState,
  wanted: WantedAccount,
  email: string | undefined,
) {
  const { name, email: _, ...rest } = wanted
  const isOther = name !== undefined && name.trim() !== (await sealer.open(account.name))
  return {
    ...rest,
    ...(isOther ? { name: await sealer.seal(account.userId, name.trim()) } : {}),
    ...omitUndefined({ email: email === undefined ? undefined : await sealer.seal(account.userId, email) }),
  }
}

async function changeNow(
  deps: AccountChangesDependencies,
  userId: UserId,
  wanted: WantedAccount,
  author: Author,
): Promise<Position | Refusal> {
  const { commandHandler, seats, accounts } = deps
  const account = await accountNow(deps, userId, author)
  if (isRefusal(account)) return account
  const { role = account.role, enabled = account.enabled } = wanted
  const [was, willBe] = [isAdmin(account), isAdmin({ role, enabled })]
  const claimed = await claimEmail(deps, account, wanted.email, author)
  if (isRefusal(claimed)) return claimed
  const left = was && !willBe ? await seats.leave(userId, author) : START
  if (isRefusal(left)) {
    if (claimed) await accounts.releaseEmail(claimed.email, { userId, author })
    return left
  }
  const change = await sealedChange(deps, account, wanted, claimed?.email)
  const result = await commandHandler.execute(target(userId), changeAccount(userId, change), author)
  if (isRefusal(result)) {
    if (claimed) await accounts.releaseEmail(claimed.email, { userId, author })
    if (was && !willBe) await seats.take(userId, author)
    return result
  }
  const taken = willBe && concernsSeats(wanted) ? await seats.take(userId, author) : START
  const released = claimed?.before ? await accounts.releaseEmail(claimed.before, { userId, author }) : START
  return [result.position, left, taken, released].reduce(later)
}

/** The account, if it still is as the author has read it: checked before anything else is changed for it. */
async function accountNow(
  { commandHandler }: Pick<AccountChangesDependencies, 'commandHandler'>,
  userId: UserId,
  author: Author,
): Promise<AccountState | Refusal> {
  const known = await commandHandler.execute(target(userId), () => [], author)
  return isRefusal(known) ? known : (known.state.account ?? NO_SUCH_USER)
}

/** Ends the account by the given decision, after it has left its admin seat. */
async function end(
  { commandHandler, seats }: AccountChangesDependencies,
  userId: UserId,
  decide: (state: UserState) => Decision,
  author: Author,
): Promise<Position | Refusal> {
  const known = await commandHandler.execute(target(userId), () => [], author)
  if (isRefusal(known)) return known
  const { account } = known.state
  const left = account && isAdmin(account) ? await seats.leave(userId, author) : START
  if (isRefusal(left)) return left
  const result = await commandHandler.execute(target(userId), decide, author)
  return isRefusal(result) ? result : later(result.position, left)
}

/**
 * Frees the address of an account that has ended, and its account at the identity provider. Does nothing if they are free already or if the
 * key is destroyed, which happens later.
 */
async function freeNames({ commandHandler, sealer, names }: AccountChangesDependencies, userId: UserId, author: Author): Promise<Position> {
  const { email, identity } = await commandHandler.load(target(userId))
  const free = async (kind: 'email' | 'identity', sealed: typeof email) => {
    const value = sealed && (await sealer.open(sealed))
    return value ? names.release({ kind, value }, { userId, author }) : START
  }
  return later(await free('email', email), await free('identity', identity))
}

async function removeNow(deps: AccountChangesDependencies, userId: UserId, author: Author): Promise<Position | Refusal> {
  const removed = await end(deps, userId, remove(userId), author)
  return isRefusal(removed) ? removed : later(removed, await freeNames(deps, userId, author))
}

async function shred(deps: AccountChangesDependencies, userId: UserId, author: Author): Promise<Position> {
  const { vault, sealer, commandHandler } = deps
  // Addresses and clients of requests are sealed with the key that is destroyed here: do not ask for that key again.
  const { actor, command, causation } = author
  const by = { actor, command, ...omitUndefined({ causation }) }
  const freed = await freeNames(deps, userId, by)
  await vault.destroyKey(userId)
  await vault.dropPasswordHashes(userId)
  sealer.forget(userId)
  const shredded = await commandHandler.execute({ stream: erasureStream(erasureOf(userId)), decider: erasure }, shredKey(userId), by)
  if (isRefusal(shredded)) throw new Error(shredded.message)
  return later(freed, shredded.position)
}

async function setPassword(
  { commandHandler, passwords, vault }: AccountChangesDependencies,
  userId: UserId,
  { password, ending }: { readonly password: string; readonly ending: EndingLogins },
  author: Author,
): Promise<Position | Refusal> {
  const fault = faultOf({ password })
  if (fault) return fault
  const { account } = await commandHandler.load(target(userId))
  if (!account) return NO_SUCH_USER
  const version = nextVersion(account.passwordVersion)
  const hash = await passwords.hash(password, author.origin ? networkOf(author.origin) : null)
  if (isRefusal(hash)) return hash
  await vault.putPasswordHash(userId, version, hash)
  const result = await commandHandler.execute(target(userId), changePassword(userId, version, ending), author)
  if (isRefusal(result)) {
    // A concurrent erasure may have dropped the hashes before this one was written.
    await vault.dropPasswordHashes(userId, version)
    return result
  }
  // Drop only the version that was read: a concurrent change has a version of its own.
  await vault.dropPasswordHashes(userId, account.passwordVersion)
  return result.position
}

async function rehash(
  { passwords, vault, commandHandler }: AccountChangesDependencies,
  userId: UserId,
  { password, version }: { readonly password: string; readonly version: number },
  address: string | null,
): Promise<void> {
  const hash = await passwords.hash(password, address)
  if (isRefusal(hash)) return
  await vault.putPasswordHash(userId, version, hash)
  // A concurrent change of the password or an erasure may have dropped the old hash before this one was written.
  const { account } = await commandHandler.load(target(userId))
  if (account?.passwordVersion !== version) await vault.dropPasswordHashes(userId, version)
}

/** Whether the change may make or unmake an admin: no other change of the account may then run concurrently. */
const concernsSeats = ({ role, enabled }: WantedAccount) => role !== undefined || enabled !== undefined
