/**
 * Time-based one-time passwords by RFC 6238: HMAC-SHA1 of the number of 30-second steps since 1970, truncated to 6 digits by RFC 4226,
 * section 5.3. The secret is written in base32 (RFC 4648, section 6), as authenticator apps expect it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

const STEP_MS = 30_000
const DIGITS = 6
const CODE = /^[0-9]{6}$/
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const BITS = 5

/** Steps before and after the current one whose codes count: clocks differ, and people type slowly (RFC 6238, section 5.2). */
export const SKEW = 1

export const stepAt = (ms: number): number => Math.floor(ms / STEP_MS)

export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7f_ff_ff_ff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** The step whose code this is; undefined if it is none that counts now. */
export function stepOf(secret: Uint8Array, code: string, nowMs: number): number | undefined {
  if (!CODE.test(code)) return undefined
  const now = stepAt(nowMs)
  const steps = Array.from({ length: 2 * SKEW + 1 }, (_, n) => now - SKEW + n)
  return steps.find((step) => timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code)))
}

export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => ALPHABET[Number.parseInt(group.padEnd(BITS, '0'), 2)]).join('')
}

/** Case does not matter, and characters outside the alphabet are left out. */
export function fromBase32(text: string): Uint8Array {
  const bits = text
    .toUpperCase()
    .split('')
    .flatMap((character) => {
      const value = ALPHABET.indexOf(character)
      return value === -1 ? [] : [value.toString(2).padStart(BITS, '0')]
    })
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2))
}

/** The address that an authenticator app reads from a QR code (Google's Key URI format). */
export function totpUri({
  secret,
  issuer,
  account,
}: {
  readonly secret: string
  readonly issuer: string
  readonly account: string
}): string {
  const parameters = new URLSearchParams({ secret, issuer, digits: String(DIGITS), period: String(STEP_MS / 1000) })
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${String(parameters).replaceAll('+', '%20')}`
}
