/** Scrypt's cost as Node's options. */
import type { ScryptOptions } from 'node:crypto'
import type { ScryptCost } from '../../ports/scrypt.ts'

/** Node refuses to use more memory than `maxmem`; OpenSSL needs 128 * r * (N + p) bytes and a little more. */
export function scryptOptions({ logN, r, p }: ScryptCost): ScryptOptions {
  const N = 2 ** logN
  return { N, r, p, maxmem: 128 * r * (N + p) + 1024 * 1024 }
}
