/** Links accounts with accounts at the identity provider. The claim of an identity is the unique index. */
import type { UserId } from '../../vocabulary/id.ts'
import { later, START } from '../../events/position.ts'
import { userStream } from '../../events/streams.ts'
import type { Sealed } from '../../events/sealed.ts'
import type { Decision } from '../../domain/decider.ts'
import { giveLinkConsent, hasLinkConsent, linkByConsent, NO_LINK_CONSENT, withdrawLinkConsent } from '../../domain/accounts/link-consent.ts'
import { LINKED_ALREADY } from '../../domain/accounts/refusals.ts'
import { linkFirstIdentity, linkIdentity, unlinkIdentity, user, type UserState } from '../../domain/accounts/user.ts'
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Identity } from '../../ports/identity-provider.ts'
import type { Author, CommandHandler } from '../commands/command-handler.ts'
import type { Sealer } from '../commands/sealer.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { NameClaims, NameUse } from './name-claims.ts'

export type IdentityKey = Pick<Identity, 'issuer' | 'subject'>

export interface Identities {
  /** The user whom it is linked to, according to the log. */
  find(identity: IdentityKey): Promise<UserId | undefined>
  isLinked(userId: UserId): Promise<boolean>
  /** Replaces the identity that the user had. Refusals: `not-found`, `conflict` (it is another user's). */
  link(userId: UserId, identity: IdentityKey, author: Author): Promise<void | Refusal>
  /** As `link`, if the user has no identity. Further refusal: `conflict` (the user has another). */
  linkFirst(userId: UserId, identity: IdentityKey, author: Author): Promise<void | Refusal>
  /** As `link`, if an administrator's consent still holds, which it uses up. Further refusal: `forbidden`. */
  linkByConsent(userId: UserId, identity: IdentityKey, author: Author): Promise<void | Refusal>
  /** Refusal: `not-found`. */
  unlink(userId: UserId, author: Author): Promise<void | Refusal>
  /** Allows for seven days that a verified address links the account. Refusals: `not-found`, `conflict` (an administrator). */
  giveConsent(userId: UserId, author: Author): Promise<void | Refusal>
  /** Refusal: `not-found`. */
  withdrawConsent(userId: UserId, author: Author): Promise<void | Refusal>
}

export interface IdentitiesDependencies {
  readonly clock: Clock
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
    link: (userId, identity, author) => link(deps, userId, identity, { author, decide: (sealed) => linkIdentity(userId, sealed) }),

    async linkFirst(userId, identity, author) {
      const before = await identityOf(deps, userId)
      if (before !== undefined && before !== textOf(identity)) return LINKED_ALREADY
      return link(deps, userId, identity, { author, decide: (sealed) => linkFirstIdentity(userId, sealed) })
    },

    async linkByConsent(userId, identity, author) {
      const nowMs = deps.clock.now()
      const { account } = await load(deps, userId)
      if (account && !hasLinkConsent(account, nowMs)) return NO_LINK_CONSENT
      return link(deps, userId, identity, { author, decide: (sealed) => linkByConsent(userId, sealed, nowMs) })
    },
    unlink: (userId, author) => unlink(deps, userId, author),

    giveConsent(userId, author) {
      const expiresAt = new Date(deps.clock.now() + CONSENT_MS).toISOString()
      return carryOut(deps, userId, giveLinkConsent(userId, expiresAt), author)
    },
    withdrawConsent: (userId, author) => carryOut(deps, userId, withdrawLinkConsent(userId), author),
  }
}

/** Stated in docs/single-sign-on.md and in the web client. */
const CONSENT_MS = 7 * 24 * 3_600_000

/** An issuer is a URL, which has no space. */
const textOf = ({ issuer, subject }: IdentityKey) => `${issuer} ${subject}`

const target = (userId: UserId) => ({ stream: userStream(userId), decider: user })
const load = ({ commandHandler }: IdentitiesDependencies, userId: UserId) => commandHandler.load(target(userId))

/** The text of the linked identity, if the account has one. */
async function identityOf(deps: IdentitiesDependencies, userId: UserId): Promise<string | undefined> {
  const { account, identity } = await load(deps, userId)
  return account && identity ? deps.sealer.open(identity) : undefined
}

const hasIdentity = async (deps: IdentitiesDependencies, userId: UserId, text: string) => (await identityUse(deps, userId, text)) === 'used'

async function identityUse(deps: IdentitiesDependencies, userId: UserId, text: string): Promise<NameUse> {
  const { registered, account, identity } = await load(deps, userId)
  if (!account) return registered ? 'ended' : 'unused'
  return identity && (await deps.sealer.open(identity)) === text ? 'used' : 'unused'
}

type Decide = (state: UserState) => Decision

interface Linking {
  readonly author: Author
  readonly decide: (sealed: Sealed) => Decide
}

async function link(
  deps: IdentitiesDependencies,
  userId: UserId,
  identity: IdentityKey,
  { author, decide }: Linking,
): Promise<void | Refusal> {
  const { commandHandler, names, readYourWrites, sealer } = deps
  const value = textOf(identity)
  const before = await identityOf(deps, userId)
  if (before === value) return undefined
  const claimed = await names.take({ kind: 'identity', value }, { userId, author }, (holder) => identityUse(deps, holder, value))
  if (isRefusal(claimed)) return claimed
  const result = await commandHandler.execute(target(userId), decide(await sealer.seal(userId, value)), author)
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

async function carryOut(
  { commandHandler, readYourWrites }: IdentitiesDependencies,
  userId: UserId,
  decide: Decide,
  author: Author,
): Promise<void | Refusal> {
  const result = await commandHandler.execute(target(userId), decide, author)
  return isRefusal(result) ? result : readYourWrites.waitFor(result.position)
}
