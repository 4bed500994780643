/** Manages accounts through requests, for administrators and for the owners of accounts. */
import type { Role } from '../../events/account-events.ts'
import { parseId, type LibraryId, type UserId } from '../../vocabulary/id.ts'
import type { Position } from '../../events/position.ts'
import { foldText } from '../../vocabulary/text.ts'
import type { UserDocument } from '../../../projections/views/users.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import { normalizeEmail } from '../../domain/accounts/user.ts'
import type { Budget, Counters } from '../../ports/counters.ts'
import type { Access } from '../access/access.ts'
import type { AccountChanges, WantedAccount } from './account-changes.ts'
import type { Accounts, NewAccount } from './accounts.ts'
import type { Account, Caller, RequestOrigin } from '../access/caller.ts'
import { byUser } from '../commands/command-handler.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import { pageOf, type ListPage, type PageRequest } from '../read-models/page.ts'
import { NO_SUCH_USER } from '../../domain/accounts/refusals.ts'
import { NO_SUCH_LIBRARY } from '../../domain/libraries/refusals.ts'

export interface UserListRequest extends PageRequest {
  /** Part of the name or the address; case and diacritics do not matter. */
  readonly text?: string
  readonly role?: Role
  readonly enabled?: boolean
  readonly sort: 'name' | 'createdAt' | 'lastSeenAt'
  readonly order: 'asc' | 'desc'
}

/** Library ids as sent in the request: each must name a library. */
export type UserChange = Omit<WantedAccount, 'libraryIds'> & { readonly libraryIds?: readonly string[] }
export type NewUser = Omit<NewAccount, 'libraryIds'> & { readonly libraryIds?: readonly string[] }

/** The routes check permissions. Refusals: `not-found`, `invalid`, `conflict` (address taken, last admin). */
export interface Users {
  list(request: UserListRequest): Promise<ListPage<Account>>
  get(id: string): Promise<Account | Refusal>
  create(caller: Caller, user: NewUser, origin: RequestOrigin): Promise<Account | Refusal>
  change(caller: Caller, id: string, change: UserChange, origin: RequestOrigin): Promise<Account | Refusal>
  /** Ends all logins of the user except the caller's own. */
  setPassword(caller: Caller, id: string, password: string, origin: RequestOrigin): Promise<void | Refusal>
  remove(caller: Caller, id: string, origin: RequestOrigin): Promise<void | Refusal>
  erase(caller: Caller, id: string, origin: RequestOrigin): Promise<UserId | Refusal>
}

export interface UsersDependencies {
  readonly access: Access
  readonly accounts: Accounts
  readonly changes: AccountChanges
  readonly counters: Counters
  readonly readYourWrites: ReadYourWrites
}

/** New addresses that a user may try. The limit exists because each answer reveals whether the address is taken. */
const OWN_EMAIL_CHANGES: Budget = { max: 5, windowMs: 3_600_000 }
/** Sorts after every text. */
const LAST = '\u{10ffff}'

export function createUsers(deps: UsersDependencies): Users {
  const { access, accounts, changes } = deps

  return {
    get: (id) => get(deps, id),
    list: (request) => list(deps, request),

    async create(caller, { libraryIds, ...user }, origin) {
      const grants = grantsOf(deps, libraryIds)
      if (isRefusal(grants)) return grants
      const made = await accounts.register({ ...user, ...grants }, byUser(caller.userId, 'createUser', origin))
      return isRefusal(made) ? made : shown(deps, made.userId, made.position)
    },

    async change(caller, id, { libraryIds, ...change }, origin) {
      const user = access.users.get(id)
      if (!user) return NO_SUCH_USER
      const grants = grantsOf(deps, libraryIds, user.libraryIds)
      if (isRefusal(grants)) return grants
      const refused = user.id === caller.userId ? await refuseGuesses(deps, user, change.email) : undefined
      if (refused) return refused
      return shown(deps, user.id, await changes.change(user.id, { ...change, ...grants }, byUser(caller.userId, 'changeUser', origin)))
    },

    async setPassword(caller, id, password, origin) {
      const user = access.users.get(id)
      if (!user) return NO_SUCH_USER
      const ending = { except: user.id === caller.userId ? caller.loginId : null }
      return gone(deps, await changes.setPassword(user.id, { password, ending }, byUser(caller.userId, 'setPassword', origin)))
    },

    async remove(caller, id, origin) {
      const user = access.users.get(id)
      return user ? gone(deps, await changes.remove(user.id, byUser(caller.userId, 'removeUser', origin))) : NO_SUCH_USER
    },
    erase: (caller, id, origin) => erase(deps, caller, id, origin),
  }
}

async function get({ access, accounts }: UsersDependencies, id: string): Promise<Account | Refusal> {
  const document = access.users.get(id)
  return document ? accounts.open(document) : NO_SUCH_USER
}

/**
 * The grants of a request without duplicates; a refusal if one of them names no library. The user keeps those of removed libraries, which
 * may be restored.
 */
function grantsOf(
  { access }: UsersDependencies,
  ids: readonly string[] | undefined,
  before: readonly LibraryId[] = [],
): { readonly libraryIds?: readonly LibraryId[] } | Refusal {
  if (ids === undefined) return {}
  const found = [...new Set(ids)].map((id) => access.libraries.get(id)?.id ?? before.find((held) => held === id))
  return found.includes(undefined) ? NO_SUCH_LIBRARY : { libraryIds: found.filter((id) => id !== undefined) }
}

async function refuseGuesses(
  { accounts, counters }: UsersDependencies,
  user: UserDocument,
  email: string | undefined,
): Promise<Refusal | undefined> {
  if (email === undefined || normalizeEmail(email) === (await accounts.open(user)).email) return undefined
  const { allowed, retryAfterMs } = await counters.spend(`own-email.${user.id}`, OWN_EMAIL_CHANGES)
  if (allowed) return undefined
  return refuse('too-many', 'Too many changes of the e-mail address: try again later', {
    retryAfterSeconds: Math.ceil(retryAfterMs / 1000),
  })
}

/** Waits until the views show the change; then returns the current account. */
async function shown(deps: UsersDependencies, userId: UserId, done: Position | Refusal): Promise<Account | Refusal> {
  if (isRefusal(done)) return done
  await deps.readYourWrites.waitFor(done)
  return get(deps, userId)
}

async function gone({ readYourWrites }: UsersDependencies, done: Position | Refusal): Promise<void | Refusal> {
  return isRefusal(done) ? done : readYourWrites.waitFor(done)
}

async function list(
  { access, accounts }: UsersDependencies,
  { text, role, enabled, sort, order, ...request }: UserListRequest,
): Promise<ListPage<Account>> {
  const all = await Promise.all([...access.users.values()].map((document) => accounts.open(document)))
  const wanted = text === undefined ? undefined : foldText(text)
  const fits = (user: Account) =>
    (role === undefined || user.role === role) &&
    (enabled === undefined || user.enabled === enabled) &&
    (wanted === undefined || foldText(user.name).includes(wanted) || foldText(user.email).includes(wanted))
  const descending = order === 'desc'
  const none = descending ? '' : LAST
  const key = (user: Account) => (sort === 'name' ? foldText(user.name) : (user[sort] ?? none))
  return pageOf(all.filter(fits), request, key, descending)
}

async function erase(deps: UsersDependencies, caller: Caller, id: string, origin: RequestOrigin): Promise<UserId | Refusal> {
  // Also for an account that was removed before: the log still has it.
  const userId = parseId<'user'>(id)
  if (!userId) return NO_SUCH_USER
  const refused = await gone(deps, await deps.changes.erase(userId, byUser(caller.userId, 'eraseUser', origin)))
  return refused ?? userId
}
