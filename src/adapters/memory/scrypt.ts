/** Scrypt in the calling thread: for tests with a cheap cost. */
import { scryptSync } from 'node:crypto'
import { scryptOptions } from '../shared/scrypt-options.ts'
import type { Scrypt } from '../../ports/scrypt.ts'

export function createMemoryScrypt(): Scrypt {
  return {
    derive: async ({ password, salt, cost, bytes }) => scryptSync(password, salt, bytes, scryptOptions(cost)),
    close: async () => {},
  }
}
