/** Accounts: making them, finding them by e-mail, and opening their personal fields. */
import { createHmac } from 'node:crypto'
import type { LibraryAccess, Role } from '../events/catalogue.ts'
import type { LibraryId, UserId } from '../events/id.ts'
import { later, type Position } from '../events/position.ts'
import { claimStream, userStream } from '../events/streams.ts'
import type { UserDocument } from '../../projections/users.ts'
import { claim, claimName, STALE_CLAIM_MS, type ClaimKind, type ClaimState } from '../domain/claim.ts'
import { isRefusal, refuse, type Refusal } from '../domain/refusal.ts'
import { isEmail, normalizeEmail, PASSWORD_MAX, PASSWORD_MIN, register, user } from '../domain/user.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ids } from '../ports/ids.ts'
import type { Vault } from '../ports/vault.ts'
import type { Account } from './caller.ts'
import type { Author, Commander } from './commander.ts'
import { hashPassword } from './password-hash.ts'
import type { Sealer } from './sealer.ts'

export interface NewAccount {
  readonly email: string
  readonly name: string
  readonly password: string
  readonly role: Role
  readonly libraryAccess?: LibraryAccess
  readonly libraryIds?: readonly LibraryId[]
}

export interface Accounts {
  /** Refusals: `invalid` (`email`, `name`, `password`), `conflict` (the address is taken). */
  register(account: NewAccount, author: Author): Promise<{ readonly userId: UserId; readonly position: Position } | Refusal>
  /** The first admin, made by exactly one of N nodes; undefined when somebody has made it before. */
  registerFirstAdmin(
    account: Omit<NewAccount, 'role'>,
    author: Author,
  ): Promise<{ readonly userId: UserId; readonly position: Position } | Refusal | undefined>
  /** Who holds an e-mail address. */
  findByEmail(email: string): Promise<UserId | undefined>
  /** The account with its personal fields opened; what cannot be opened any more reads "erased user". */
  open(user: UserDocument): Promise<Account>
  /** Names an e-mail address without telling it. */
  emailHmac(email: string): Promise<string>
}

export interface AccountsDependencies {
  readonly commander: Commander
  readonly vault: Vault
  readonly sealer: Sealer
  readonly ids: Ids
  readonly clock: Clock
}

const NAME_MAX = 200
const ERASED = 'erased user'

export function createAccounts(deps: AccountsDependencies): Accounts {
  const { commander, vault, sealer, ids, clock } = deps

  async function nameHmac(kind: ClaimKind, value: string): Promise<string> {
    const key = await vault.secret('names')
    return createHmac('sha256', key).update(`${kind}\0${value}`).digest('hex')
  }

  const isRegistered = async (userId: UserId) => (await commander.load({ stream: userStream(userId), decider: user })).registered

  async function take(kind: ClaimKind, value: string, taker: { readonly userId: UserId; readonly author: Author }) {
    const target = { stream: claimStream(await nameHmac(kind, value)), decider: claim }
    const { holder } = await commander.load<ClaimState>(target)
    const orphaned = holder !== null && clock.now() > Date.parse(holder.at) + STALE_CLAIM_MS && !(await isRegistered(holder.userId))
    return commander.execute(
      target,
      claimName(kind, taker.userId, ({ userId }) => orphaned && userId === holder?.userId),
      taker.author,
    )
  }

  async function registerAs(userId: UserId, account: NewAccount, author: Author) {
    const fault = faultOf(account)
    if (fault) return fault
    const email = normalizeEmail(account.email)
    const claimed = await take('email', email, { userId, author })
    if (isRefusal(claimed)) return claimed
    await vault.putPasswordHash(userId, 1, await hashPassword(account.password))
    const registered = {
      userId,
      email: await sealer.seal(userId, email),
      name: await sealer.seal(userId, account.name.trim()),
      role: account.role,
      libraryAccess: account.libraryAccess ?? 'all',
      libraryIds: account.libraryIds ?? [],
      maxConcurrentStreams: null,
      passwordVersion: 1,
    } as const
    const outcome = await commander.execute({ stream: userStream(userId), decider: user }, register(registered), author)
    return isRefusal(outcome) ? outcome : { userId, position: later(claimed.position, outcome.position) }
  }

  return {
    register: (account, author) => registerAs(ids.next<'user'>(), account, author),

    async registerFirstAdmin(account, author) {
      const target = { stream: claimStream(await nameHmac('first-admin', '')), decider: claim }
      const mine = ids.next<'user'>()
      const taken = await commander.execute(
        target,
        claimName('first-admin', mine, () => false),
        author,
      )
      // A claim whose admin never came to be (a crash in between) is carried out under its own id.
      const userId = isRefusal(taken) ? (await commander.load<ClaimState>(target)).holder?.userId : mine
      if (!userId || (await isRegistered(userId))) return undefined
      return registerAs(userId, { ...account, role: 'admin' }, author)
    },

    async findByEmail(email) {
      const stream = claimStream(await nameHmac('email', normalizeEmail(email)))
      return (await commander.load<ClaimState>({ stream, decider: claim })).holder?.userId
    },

    async open(document) {
      const { email, name, passwordVersion: _, ...plain } = document
      return { ...plain, email: (await sealer.open(email)) ?? ERASED, name: (await sealer.open(name)) ?? ERASED }
    },

    emailHmac: (email) => nameHmac('email', normalizeEmail(email)),
  }
}

function faultOf({ email, name, password }: NewAccount): Refusal | undefined {
  if (!isEmail(normalizeEmail(email))) return refuse('invalid', 'An e-mail address has 3 to 254 characters and one @', { path: 'email' })
  const trimmed = name.trim()
  if (trimmed === '' || trimmed.length > NAME_MAX) return refuse('invalid', `A name has 1 to ${NAME_MAX} characters`, { path: 'name' })
  if (password.length < PASSWORD_MIN || password.length > PASSWORD_MAX) {
    return refuse('invalid', `A password has ${PASSWORD_MIN} to ${PASSWORD_MAX} characters`, { path: 'password' })
  }
  return undefined
}
