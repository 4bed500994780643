/** Links accounts with accounts at the identity provider. The claim of an identity is the unique index. */
import type { UserId } from '../../vocabulary/id.ts'
import { later, START } from '../../events/position.ts'
import { userStream } from '../../events/streams.ts'
import { linkIdentity, unlinkIdentity, user } from '../../domain/accounts/user.ts'
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import type { Identity } from '../../ports/identity-provider.ts'
import type { Author, CommandHandler } from '../commands/command-handler.ts'
import type { Sealer } from '../commands/sealer.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { NameClaims } from './name-claims.ts'

export type IdentityKey = Pick<Identity, 'issuer' | 'subject'>

export interface Identities {
  /** The user whom it is linked to, according to the log. */
  find(identity: IdentityKey): Promise<UserId | undefined>
  isLinked(userId: UserId): Promise<boolean>
  /** Replaces the identity that the user had. Refusals: `not-found`, `conflict` (it is another user's). */
  link(userId: UserId, identity: IdentityKey, author: Author): Promise<void | Refusal>
  /** Refusal: `not-found`. */
  unlink(userId: UserId, author: Author): Promise<void | Refusal>
}

export interface IdentitiesDependencies {
  readonly commandHandler: CommandHandler
  readonly names: NameClaims
  readonly readYourWrites: ReadYourWrites
  readonly sealer: Sealer
}

export function createIdentities(deps: IdentitiesDependencies): Identities {
  return {
    async find(identity) {
      const text = textOf(identity)
      const userId = await deps.names.holder('identity', text)
      return userId && (await hasIdentity(deps, userId, text)) ? userId : undefined
    },
    isLinked: async (userId) => (await load(deps, userId)).identity !== null,
    link: (userId, identity, author) => link(deps, userId, identity, author),
    unlink: (userId, author) => unlink(deps, userId, author),
  }
}

/** An issuer is a URL, which has no space. */
const textOf = ({ issuer, subject }: IdentityKey) => `${issuer} ${subject}`

const target = (userId: UserId) => ({ stream: userStream(userId), decider: user })
const load = ({ commandHandler }: IdentitiesDependencies, userId: UserId) => commandHandler.load(target(userId))

/** The text of the linked identity, if the account has one. */
async function identityOf(deps: IdentitiesDependencies, userId: UserId): Promise<string | undefined> {
  const { account, identity } = await load(deps, userId)
  return account && identity ? deps.sealer.open(identity) : undefined
}

const hasIdentity = async (deps: IdentitiesDependencies, userId: UserId, text: string) => (await identityOf(deps, userId)) === text

async function link(deps: IdentitiesDependencies, userId: UserId, identity: IdentityKey, author: Author): Promise<void | Refusal> {
  const { commandHandler, names, readYourWrites, sealer } = deps
  const value = textOf(identity)
  const before = await identityOf(deps, userId)
  if (before === value) return undefined
  const claimed = await names.take(
    { kind: 'identity', value },
    { userId, author },
    async (holder) => !(await hasIdentity(deps, holder, value)),
  )
  if (isRefusal(claimed)) return claimed
  const result = await commandHandler.execute(target(userId), linkIdentity(userId, await sealer.seal(userId, value)), author)
  if (isRefusal(result)) return result
  const released = before === undefined ? START : await names.release({ kind: 'identity', value: before }, { userId, author })
  return readYourWrites.waitFor([claimed, result.position, released].reduce(later))
}

async function unlink(deps: IdentitiesDependencies, userId: UserId, author: Author): Promise<void | Refusal> {
  const { commandHandler, names, readYourWrites } = deps
  const before = await identityOf(deps, userId)
  const result = await commandHandler.execute(target(userId), unlinkIdentity(userId), author)
  if (isRefusal(result)) return result
  const released = before === undefined ? START : await names.release({ kind: 'identity', value: before }, { userId, author })
  return readYourWrites.waitFor(later(result.position, released))
}
