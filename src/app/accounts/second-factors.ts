/**
 * Keeps the second factors of accounts, and checks the codes that people type. Whether there is one is read from the log: a node whose views
 * are behind must not sign somebody in without it.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { UserId } from '../../vocabulary/id.ts'
import { userStream } from '../../events/streams.ts'
import type { UserDocument } from '../../../projections/views/users.ts'
import type { SecondFactorState } from '../../domain/accounts/second-factor-state.ts'
import {
  disableSecondFactor,
  enableSecondFactor,
  prepareSecondFactor,
  RECOVERY_CODES,
  replaceRecoveryCodes,
  spendRecoveryCode,
  WRONG_CODE,
} from '../../domain/accounts/second-factor.ts'
import { NO_SUCH_USER } from '../../domain/accounts/refusals.ts'
import { user, type UserState } from '../../domain/accounts/user.ts'
import type { Decision } from '../../domain/decider.ts'
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Counters } from '../../ports/counters.ts'
import type { QrCodes } from '../../ports/qr-codes.ts'
import type { Access } from '../access/access.ts'
import type { Author, CommandHandler } from '../commands/command-handler.ts'
import type { Sealer } from '../commands/sealer.ts'
import type { PassingTexts } from '../commands/passing-texts.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import { countTry } from './counted-tries.ts'
import type { SignInRefusals } from './sign-in-refusals.ts'
import { fromBase32, stepOf, toBase32, totpUri } from './totp.ts'

export interface NewSecondFactor {
  /** In base32. */
  readonly secret: string
  readonly uri: string
  readonly qrCode: { readonly size: number; readonly path: string }
  readonly recoveryCodes: readonly string[]
}

export interface SecondFactors {
  status(userId: UserId): Promise<{ readonly enabled: boolean; readonly recoveryCodesLeft: number }>
  /** A secret and recovery codes, returned this once; signing in does not ask for them yet. Refusals: `conflict`, `not-found`. */
  prepare(userId: UserId, label: { readonly issuer: string }, author: Author): Promise<NewSecondFactor | Refusal>
  /** Refusals: `invalid` (`code`), `conflict`, `too-many`. */
  enable(userId: UserId, code: string, author: Author): Promise<void | Refusal>
  /** Refusals: `invalid` (`code`), `too-many`. */
  disable(userId: UserId, code: string, author: Author): Promise<void | Refusal>
  /** Without a code: for administrators and owners of the data folder, who help somebody who has lost the device. */
  reset(userId: UserId, author: Author): Promise<void | Refusal>
  /** New recovery codes instead of all earlier ones. Refusals: `invalid` (`code`), `conflict`, `too-many`. */
  replaceRecoveryCodes(userId: UserId, code: string, author: Author): Promise<readonly string[] | Refusal>
  /** Proof of the right password, for the second step of signing in; undefined if the account needs no second step. */
  challengeOf(user: UserDocument, rememberMe: boolean): Promise<string | undefined>
  /** Who has that proof; undefined if it is forged, too old, or the password has changed since. */
  readChallenge(challenge: string): Challenged | undefined
  /** Checks a one-time code or a recovery code, and uses it up. Refusals: `invalid` (`code`), `too-many`. */
  check(userId: UserId, code: string, author: Author): Promise<void | Refusal>
}

export interface Challenged {
  readonly user: UserDocument
  readonly rememberMe: boolean
}

export interface SecondFactorsDependencies {
  readonly access: Pick<Access, 'users'>
  readonly clock: Clock
  readonly commandHandler: CommandHandler
  readonly counters: Counters
  readonly qrCodes: QrCodes
  readonly readYourWrites: ReadYourWrites
  readonly refusals: Pick<SignInRefusals, 'ofUser'>
  readonly passingTexts: PassingTexts
  readonly sealer: Sealer
}

/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20
/** 80 bits. */
const RECOVERY_BYTES = 10
const CHALLENGE_LIFE_MS = 5 * 60_000
/** Wrong codes of an account, from anywhere: the caller already knows the password. */
const FAILURES = { max: 5, windowMs: 900_000 }
/** Longer than a code counts, so that nobody uses one twice. */
const ONCE = { max: 1, windowMs: 180_000 }
const LOCKED = 'Too many wrong codes: try again later'

export function createSecondFactors(deps: SecondFactorsDependencies): SecondFactors {
  return {
    async status(userId) {
      const factor = await factorOf(deps, userId)
      return { enabled: factor?.isEnabled ?? false, recoveryCodesLeft: factor?.isEnabled ? factor.recoveryCodes.length : 0 }
    },
    prepare: (userId, { issuer }, author) => prepare(deps, { userId, issuer }, author),

    async enable(userId, code, author) {
      const factor = await factorOf(deps, userId)
      if (!factor || factor.isEnabled) return change(deps, userId, enableSecondFactor(userId, factor?.secret), author)
      const wrong = await limited(deps, userId, () => checkTotp(deps, { userId, factor }, code))
      return wrong ?? change(deps, userId, enableSecondFactor(userId, factor.secret), author)
    },

    async disable(userId, code, author) {
      const isEnabled = (await factorOf(deps, userId))?.isEnabled ?? false
      const wrong = isEnabled ? await checkOwn(deps, userId, code, author) : undefined
      return wrong ?? change(deps, userId, disableSecondFactor(userId), author)
    },

    reset: (userId, author) => change(deps, userId, disableSecondFactor(userId), author),

    async replaceRecoveryCodes(userId, code, author) {
      const isEnabled = (await factorOf(deps, userId))?.isEnabled ?? false
      const wrong = isEnabled ? await checkOwn(deps, userId, code, author) : undefined
      if (wrong) return wrong
      const codes = newRecoveryCodes()
      return (await change(deps, userId, replaceRecoveryCodes(userId, codes.map(hashOf)), author)) ?? codes
    },

    async challengeOf(document, rememberMe) {
      const factor = await factorOf(deps, document.id)
      return factor?.isEnabled ? signChallenge(deps, document, rememberMe) : undefined
    },
    readChallenge: (challenge) => readChallenge(deps, challenge),
    check: (userId, code, author) => check(deps, userId, code, author),
  }
}

const target = (userId: UserId) => ({ stream: userStream(userId), decider: user })

const factorOf = async ({ commandHandler }: SecondFactorsDependencies, userId: UserId): Promise<SecondFactorState | null> =>
  (await commandHandler.load(target(userId))).account?.secondFactor ?? null

async function change(
  { commandHandler, readYourWrites }: SecondFactorsDependencies,
  userId: UserId,
  decide: (state: UserState) => Decision,
  author: Author,
): Promise<undefined | Refusal> {
  const result = await commandHandler.execute(target(userId), decide, author)
  if (isRefusal(result)) return result
  await readYourWrites.waitFor(result.position)
  return undefined
}

async function prepare(
  deps: SecondFactorsDependencies,
  { userId, issuer }: { readonly userId: UserId; readonly issuer: string },
  author: Author,
): Promise<NewSecondFactor | Refusal> {
  const { access, qrCodes, sealer } = deps
  const document = access.users.get(userId)
  if (!document) return NO_SUCH_USER
  const secret = toBase32(randomBytes(SECRET_BYTES))
  const recoveryCodes = newRecoveryCodes()
  const prepared = { secret: await sealer.seal(userId, secret), recoveryCodes: recoveryCodes.map(hashOf) }
  const refused = await change(deps, userId, prepareSecondFactor(userId, prepared), author)
  if (refused) return refused
  const uri = totpUri({ secret, issuer, account: (await sealer.open(document.email)) ?? '' })
  return { secret, uri, qrCode: await qrCodes.draw(uri), recoveryCodes }
}

/** As `ABCD-EFGH-IJKL-MNOP`, in base32. */
const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: RECOVERY_CODES }, () => (toBase32(randomBytes(RECOVERY_BYTES)).match(/.{4}/g) ?? []).join('-'))

/** Of 80 random bits: nobody finds them by their hash, so it needs no salt. */
const hashOf = (recoveryCode: string) => createHash('sha256').update(plain(recoveryCode)).digest('hex')

/** People leave hyphens out, and add spaces. */
const plain = (code: string) => code.replaceAll(/[\s-]/g, '').toUpperCase()

/** The right code clears the count. */
async function limited(
  { counters }: SecondFactorsDependencies,
  userId: UserId,
  isRight: () => Promise<boolean>,
): Promise<undefined | Refusal> {
  const tries = { key: `second-factor.${userId}`, budget: FAILURES, locked: LOCKED, onRight: 'clear' } as const
  const right = await countTry(counters, tries, isRight)
  if (isRefusal(right)) return right
  return right ? undefined : WRONG_CODE
}

interface Factor {
  readonly userId: UserId
  readonly factor: SecondFactorState
}

async function checkTotp(
  { clock, counters, sealer }: SecondFactorsDependencies,
  { userId, factor }: Factor,
  code: string,
): Promise<boolean> {
  const secret = await sealer.open(factor.secret)
  const step = secret === undefined ? undefined : stepOf(fromBase32(secret), plain(code), clock.now())
  if (step === undefined) return false
  return (await counters.spend(`totp.${userId}.${step}`, ONCE)).allowed
}

async function check(deps: SecondFactorsDependencies, userId: UserId, code: string, author: Author): Promise<undefined | Refusal> {
  const factor = await factorOf(deps, userId)
  if (!factor?.isEnabled) return WRONG_CODE
  return limited(deps, userId, async () => {
    if (/^\d+$/.test(plain(code))) return checkTotp(deps, { userId, factor }, code)
    const hash = hashOf(code)
    if (!factor.recoveryCodes.includes(hash)) return false
    return !(await change(deps, userId, spendRecoveryCode(userId, hash), author))
  })
}

/** Of somebody who is signed in: a wrong code is recorded, since it may be somebody else's try. */
async function checkOwn(deps: SecondFactorsDependencies, userId: UserId, code: string, author: Author): Promise<undefined | Refusal> {
  const wrong = await check(deps, userId, code, author)
  const reason = wrong?.refusal === 'too-many' ? 'locked' : 'second-factor'
  if (wrong && author.origin) await deps.refusals.ofUser(userId, reason, author.origin)
  return wrong
}

/** What the challenge carries. */
interface Proof {
  readonly userId: UserId
  /** A new password voids it. */
  readonly passwordVersion: number
  readonly rememberMe: boolean
}

const signChallenge = ({ passingTexts }: SecondFactorsDependencies, { id: userId, passwordVersion }: UserDocument, rememberMe: boolean) =>
  passingTexts.sign('second-factor', { userId, passwordVersion, rememberMe } satisfies Proof, CHALLENGE_LIFE_MS)

function readChallenge({ access, passingTexts }: SecondFactorsDependencies, challenge: string): Challenged | undefined {
  const proof = passingTexts.read('second-factor', challenge) as Proof | undefined
  if (!proof) return undefined
  const user = access.users.get(proof.userId)
  return user?.enabled && user.passwordVersion === proof.passwordVersion ? { user, rememberMe: proof.rememberMe } : undefined
}
