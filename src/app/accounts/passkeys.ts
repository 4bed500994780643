/**
 * Keeps the passkeys of accounts, and checks them when people sign in. What a browser has to answer derives from a signed text that it
 * sends back, so any node can take the answer.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { UserId } from '../../vocabulary/id.ts'
import type { JsonObject } from '../../events/envelope.ts'
import { derivedId } from '../../events/derived-id.ts'
import { userStream } from '../../events/streams.ts'
import { addPasskey, removePasskey } from '../../domain/accounts/passkeys.ts'
import { NO_SUCH_USER } from '../../domain/accounts/refusals.ts'
import type { Passkey } from '../../domain/accounts/second-factor-state.ts'
import { user } from '../../domain/accounts/user.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import type { Counters } from '../../ports/counters.ts'
import type { PasskeyChecks, PasskeyCredential, PasskeySite } from '../../ports/passkeys.ts'
import type { Access } from '../access/access.ts'
import type { Author, CommandHandler } from '../commands/command-handler.ts'
import type { Sealer } from '../commands/sealer.ts'
import type { PassingTexts } from '../commands/passing-texts.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'

export interface NamedPasskey {
  readonly id: string
  readonly name: string
}

export interface Passkeys {
  list(userId: UserId): Promise<readonly NamedPasskey[]>
  /** What the browser has to make; the ticket is for `add`. Refusal: `not-found`. */
  begin(userId: UserId, site: PasskeySite): Promise<{ readonly options: JsonObject; readonly ticket: string } | Refusal>
  /** Refusals: `invalid` (`response`), `conflict` (no second factor, too many, or too late). */
  add(
    userId: UserId,
    made: { readonly ticket: string; readonly name: string; readonly response: JsonObject },
    site: PasskeySite,
    author: Author,
  ): Promise<NamedPasskey | Refusal>
  /** Refusal: `not-found`. */
  remove(userId: UserId, passkeyId: string, author: Author): Promise<void | Refusal>
  /** What the browser has to sign to complete the sign-in with this challenge; undefined if the account has no passkey. */
  requestFor(userId: UserId, challenge: string, site: PasskeySite): Promise<JsonObject | undefined>
  /** Whether a passkey has signed the challenge; each challenge counts once. */
  isSigned(userId: UserId, challenge: string, response: JsonObject, site: PasskeySite): Promise<boolean>
}

export interface PasskeysDependencies {
  readonly access: Pick<Access, 'users'>
  readonly checks: PasskeyChecks
  readonly commandHandler: CommandHandler
  readonly counters: Counters
  readonly readYourWrites: ReadYourWrites
  readonly sealer: Sealer
  readonly passingTexts: PassingTexts
}

/** Time to touch the authenticator. */
const TICKET_MS = 5 * 60_000
const NONCE_BYTES = 16
/** Longer than a challenge counts. */
const ONCE = { max: 1, windowMs: 600_000 }
const TOO_LATE = refuse('conflict', 'That took too long: begin again')
const WRONG = refuse('invalid', 'The authenticator gave no valid answer', { path: 'response' })

export function createPasskeys(deps: PasskeysDependencies): Passkeys {
  const { checks, counters, sealer } = deps
  return {
    async list(userId) {
      const passkeys = await passkeysOf(deps, userId)
      return Promise.all(passkeys.map(async ({ passkeyId: id, name }) => ({ id, name: (await sealer.open(name)) ?? '' })))
    },
    begin: (userId, site) => begin(deps, userId, site),
    add: (userId, made, site, author) => add(deps, { userId, ...made }, site, author),

    async remove(userId, passkeyId, author) {
      const result = await deps.commandHandler.execute(target(userId), removePasskey(userId, passkeyId), author)
      return isRefusal(result) ? result : deps.readYourWrites.waitFor(result.position)
    },

    async requestFor(userId, challenge, site) {
      const known = await credentialsOf(deps, userId)
      return known.length === 0 ? undefined : checks.requestOptions(site, { challenge: digestOf(challenge), known })
    },

    async isSigned(userId, challenge, response, site) {
      const known = await credentialsOf(deps, userId)
      const isRight = await checks.isSigned(site, digestOf(challenge), response, known)
      return isRight && (await counters.spend(`passkey.${digestOf(challenge)}`, ONCE)).allowed
    },
  }
}

const target = (userId: UserId) => ({ stream: userStream(userId), decider: user })

/** What authenticators sign: 32 bytes, which nobody can know before the text was signed here. */
const digestOf = (signed: string) => createHash('sha256').update(signed).digest('base64url')

async function passkeysOf({ commandHandler }: PasskeysDependencies, userId: UserId): Promise<readonly Passkey[]> {
  const factor = (await commandHandler.load(target(userId))).account?.secondFactor
  return factor?.isEnabled ? factor.passkeys : []
}

async function credentialsOf(deps: PasskeysDependencies, userId: UserId): Promise<readonly PasskeyCredential[]> {
  const passkeys = await passkeysOf(deps, userId)
  const opened = await Promise.all(passkeys.map(({ credential }) => deps.sealer.open(credential)))
  return opened.flatMap((text) => (text === undefined ? [] : [JSON.parse(text) as PasskeyCredential]))
}

/** `nonce`: no two tickets are equal, so neither are what authenticators sign. */
interface Ticket {
  readonly userId: UserId
  readonly nonce: string
}

async function begin(deps: PasskeysDependencies, userId: UserId, site: PasskeySite) {
  const { access, checks, passingTexts, sealer } = deps
  const document = access.users.get(userId)
  if (!document) return NO_SUCH_USER
  const nonce = randomBytes(NONCE_BYTES).toString('hex')
  const ticket = passingTexts.sign('passkey', { userId, nonce } satisfies Ticket, TICKET_MS)
  const account = (await sealer.open(document.email)) ?? ''
  const known = await credentialsOf(deps, userId)
  return { ticket, options: await checks.creationOptions(site, { challenge: digestOf(ticket), userId, account, known }) }
}

interface Made {
  readonly userId: UserId
  readonly ticket: string
  readonly name: string
  readonly response: JsonObject
}

async function add(deps: PasskeysDependencies, { userId, ticket, name, response }: Made, site: PasskeySite, author: Author) {
  const { checks, commandHandler, passingTexts, readYourWrites, sealer } = deps
  const begun = passingTexts.read('passkey', ticket) as Ticket | undefined
  if (begun?.userId !== userId) return TOO_LATE
  const credential = await checks.created(site, digestOf(ticket), response)
  if (!credential) return WRONG
  const passkeyId = derivedId('passkey', credential.id)
  const sealed = { name: await sealer.seal(userId, name), credential: await sealer.seal(userId, JSON.stringify(credential)) }
  const result = await commandHandler.execute(target(userId), addPasskey({ userId, passkeyId, ...sealed }), author)
  if (isRefusal(result)) return result
  await readYourWrites.waitFor(result.position)
  return { id: passkeyId, name }
}
