/**
 * Encrypts personal texts with the key of their subject, and decrypts them while the key exists. A bounded number of keys is cached.
 */
import { createHmac } from 'node:crypto'
import { seal, subjectOf, unseal, type Sealed } from '../../events/sealed.ts'
import { createLruCache, type LruCache } from '../../concurrency/lru-cache.ts'
import type { Vault } from '../../ports/vault.ts'

export interface Sealer {
  seal(subject: string, text: string): Promise<Sealed>
  /**
   * The same, for texts that repeat often, such as addresses in metadata: a recently sealed text is reused. This reveals that two texts of
   * a subject are equal; their content needs the key.
   */
  sealAgain(subject: string, text: string): Promise<Sealed>
  /**
   * HMAC-SHA256 of a text with the subject's key, shortened to 22 characters: equal texts of a subject can be found and counted, but not
   * read without the key. Undefined if the subject has no key (any more).
   */
  digest(subject: string, text: string): Promise<string | undefined>
  /** Undefined if the key was destroyed. */
  open(sealed: Sealed): Promise<string | undefined>
  /** Drops the key from the cache: the vault has destroyed it, or soon will. */
  forget(subject: string): void
}

const DIGEST_LENGTH = 22
const KEYS_MAX = 10_000
/** Cached texts per subject. */
const SEALED_MAX = 4

interface Known {
  readonly key: Uint8Array
  readonly sealed: LruCache<Sealed>
}

export function createSealer(vault: Vault): Sealer {
  const known = createLruCache<Known>(KEYS_MAX)

  /** Number of keys dropped so far. A key that was requested from the vault before a drop may be the dropped one, and is not cached. */
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
