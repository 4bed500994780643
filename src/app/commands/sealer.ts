/**
 * Sealer: encrypts personal texts with the key of their subject, and opens them while the key exists. Keys are kept in memory,
 * a bounded number of them.
 */
import { createHmac } from 'node:crypto'
import { seal, subjectOf, unseal, type Sealed } from '../../events/sealed.ts'
import { createLruCache, type LruCache } from '../../concurrency/lru-cache.ts'
import type { Vault } from '../../ports/vault.ts'

export interface Sealer {
  seal(subject: string, text: string): Promise<Sealed>
  /**
   * The same, for texts that a subject says again and again, as addresses in metadata: one that was sealed lately is given as it
   * was. That two of a subject's texts are equal may be seen; what they are opens with the key alone.
   */
  sealAgain(subject: string, text: string): Promise<Sealed>
  /**
   * HMAC-SHA256 of a text with the subject's key, shortened to 22 characters: equal texts of a subject can be found and counted, and
   * without the key nobody can tell what they were. Undefined if the subject has no key, or none any more.
   */
  digest(subject: string, text: string): Promise<string | undefined>
  /** Undefined when the key was destroyed. */
  open(sealed: Sealed): Promise<string | undefined>
  /** Drops the key from memory: the vault has destroyed it, or soon will. */
  forget(subject: string): void
}

const DIGEST_LENGTH = 22
const KEYS_MAX = 10_000
/** Texts of each subject. */
const SEALED_MAX = 4

interface Known {
  readonly key: Uint8Array
  readonly sealed: LruCache<Sealed>
}

export function createSealer(vault: Vault): Sealer {
  const known = createLruCache<Known>(KEYS_MAX)

  /** Keys dropped so far: one that is on its way from the vault meanwhile may be the one that was dropped, and is not kept. */
  let dropped = 0

  function remember(subject: string, key: Uint8Array, asOf: number): Known {
    const found = known.get(subject)
    if (found) return found
    const made = { key, sealed: createLruCache<Sealed>(SEALED_MAX) }
    if (asOf === dropped) known.put(subject, made)
    return made
  }

  async function knownOf(subject: string): Promise<Known> {
    const asOf = dropped
    return known.get(subject) ?? remember(subject, await vault.makeKey(subject), asOf)
  }

  async function existingKey(subject: string): Promise<Uint8Array | undefined> {
    const asOf = dropped
    const key = known.get(subject)?.key ?? (await vault.key(subject))
    return key && remember(subject, key, asOf).key
  }

  return {
    seal: async (subject, text) => seal(subject, (await knownOf(subject)).key, text),
    async sealAgain(subject, text) {
      const { key, sealed } = await knownOf(subject)
      const before = sealed.get(text)
      if (before) return before
      const made = seal(subject, key, text)
      sealed.put(text, made)
      return made
    },
    async digest(subject, text) {
      const key = await existingKey(subject)
      return key && createHmac('sha256', key).update(text).digest('base64url').slice(0, DIGEST_LENGTH)
    },
    async open(sealed) {
      const key = await existingKey(subjectOf(sealed))
      return key && unseal(sealed, key)
    },
    forget(subject) {
      dropped++
      known.remove(subject)
    },
  }
}
