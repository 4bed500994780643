/** Password hashes: scrypt (RFC 7914) with N = 2^14, r = 16, p = 1; text `scrypt$<salt>$<hash>`, base64url. */
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'

const OPTIONS: ScryptOptions = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 }
const HASH_BYTES = 32
const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password.normalize('NFKC'), salt, HASH_BYTES, OPTIONS)
  return `scrypt$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

/** Takes as long for no stored hash as for a wrong password, so that nobody learns which accounts exist. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, salt = 'AAAAAAAAAAAAAAAAAAAAAA', hash = ''] = stored?.split('$') ?? []
  const expected = Buffer.from(hash, 'base64url')
  const actual = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), HASH_BYTES, OPTIONS)
  return expected.length === HASH_BYTES && timingSafeEqual(actual, expected)
}
