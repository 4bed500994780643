/**
 * Hashes passwords with scrypt and keeps the parameters in the stored text, as in the PHC string format:
 * `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`, base64url. Older texts, `scrypt$<salt>$<hash>`, were made with N = 2^14, r = 16, p = 1.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import { createFairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { QueueFull } from '../../concurrency/semaphore.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Scrypt, ScryptCost } from '../../ports/scrypt.ts'

export interface Passwords {
  /** `address`: the network whose share of the queue this uses. Refusal: `unavailable` if the queue is full. */
  hash(password: string, address: string | null): Promise<string | Refusal>
  /**
   * Compares a password with a stored hash. Takes the same time without a hash, or with an older and cheaper one, as for a wrong password,
   * so that nobody learns which accounts exist. `counted` is called when it is the password's turn, and decides whether it is checked.
   * Refusals: `unavailable` if the queue is full, those of `counted`.
   */
  verify(
    password: string,
    stored: string | undefined,
    address: string | null,
    counted?: (isRight: () => Promise<boolean>) => Promise<boolean | Refusal>,
  ): Promise<boolean | Refusal>
  /** Whether the stored hash was made with other parameters than today's. */
  isOutdated(stored: string): boolean
}

export interface PasswordsDependencies {
  readonly clock: Clock
  readonly scrypt: Scrypt
  /** Default: `PASSWORD_COST`. */
  readonly cost?: ScryptCost
}

/**
 * One of the equivalent choices of OWASP's Password Storage Cheat Sheet (2^17/1, 2^16/2, 2^15/3, 2^14/5, 2^13/10). A home server shares its
 * memory with ffmpeg: it always has 32 MB for a hash, while 2^17 takes 128 MB. The choices below 2^15 save little more, and an attacker
 * with many cores guesses faster with them.
 */
export const PASSWORD_COST: ScryptCost = { logN: 15, r: 8, p: 3 }

const LEGACY_COST: ScryptCost = { logN: 14, r: 16, p: 1 }
/** Upper bounds of parameters in a stored text: a corrupt text must not exhaust the memory. */
const MAX = { logN: 18, r: 32, p: 32 }
const HASH_BYTES = 32
const SALT_BYTES = 16

/** A hash takes about a quarter of a second. A request that waits longer than the patience gets 503. */
const QUEUE = { width: 1, waitingMax: 32, waitingEach: 16 }
const PATIENCE_MS = 10_000
const BUSY = refuse('unavailable', 'Too many passwords are being checked: try again', { retryAfterSeconds: 5 })

interface Stored {
  readonly cost: ScryptCost
  readonly salt: Buffer
  readonly hash: Buffer
}

export function createPasswords({ clock, scrypt, cost = PASSWORD_COST }: PasswordsDependencies): Passwords {
  const semaphore = createFairSemaphore({ ...QUEUE, patience: { clock, ms: PATIENCE_MS } })
  const derive = async (password: string, salt: Uint8Array, withCost: ScryptCost) =>
    Buffer.from(await scrypt.derive({ password: password.normalize('NFKC'), salt, cost: withCost, bytes: HASH_BYTES }))

  async function queued<Value>(address: string | null, work: () => Promise<Value | Refusal>): Promise<Value | Refusal> {
    try {
      return await semaphore(address ?? '', work)
    } catch (cause) {
      if (cause instanceof QueueFull) return BUSY
      throw cause
    }
  }

  async function fits(password: string, { cost: of, salt, hash }: Stored): Promise<boolean> {
    const derived = await derive(password, salt, of)
    const right = hash.length === HASH_BYTES && timingSafeEqual(derived, hash)
    const rest = restOf(cost, of)
    if (!right && rest) await derive(password, salt, rest)
    return right
  }

  return {
    hash: (password, address) =>
      queued(address, async () => {
        const salt = randomBytes(SALT_BYTES)
        return textOf({ cost, salt, hash: await derive(password, salt, cost) })
      }),
    verify: (password, stored, address, counted = (isRight) => isRight()) =>
      queued(address, () => counted(() => fits(password, parse(stored) ?? nothingOf(cost)))),
    isOutdated: (stored) => {
      const of = parse(stored)?.cost
      return of !== undefined && (of.logN !== cost.logN || of.r !== cost.r || of.p !== cost.p)
    },
  }
}

function textOf({ cost: { logN, r, p }, salt, hash }: Stored): string {
  return `$scrypt$ln=${logN},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

function parse(text = ''): Stored | undefined {
  const legacy = /^scrypt\$([\w-]{22})\$([\w-]{43})$/.exec(text)
  if (legacy) return { cost: LEGACY_COST, salt: bytesOf(legacy[1]), hash: bytesOf(legacy[2]) }
  const found = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/.exec(text)
  if (!found) return undefined
  const [logN, r, p] = [Number(found[1]), Number(found[2]), Number(found[3])]
  if (logN < 1 || r < 1 || p < 1 || logN > MAX.logN || r > MAX.r || p > MAX.p) return undefined
  return { cost: { logN, r, p }, salt: bytesOf(found[4]), hash: bytesOf(found[5]) }
}

const bytesOf = (text = '') => Buffer.from(text, 'base64url')

/** A hash that no password matches. */
const nothingOf = (cost: ScryptCost): Stored => ({ cost, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(0) })

const workOf = ({ logN, r, p }: ScryptCost) => 2 ** logN * r * p

/** The rounds that one derivation lacks compared with the work of today's parameters. */
function restOf(cost: ScryptCost, done: ScryptCost): ScryptCost | undefined {
  const rounds = Math.round((workOf(cost) - workOf(done)) / (2 ** cost.logN * cost.r))
  return rounds > 0 ? { ...cost, p: rounds } : undefined
}
