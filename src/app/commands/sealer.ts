/**
 * Sealer: encrypts personal texts with the key of their subject, and opens them while the key exists. Keys are kept in memory,
 * a bounded number of them.
 */
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
  /** Undefined when the key was destroyed. */
  open(sealed: Sealed): Promise<string | undefined>
  /** Drops the key from memory: the vault has destroyed it, or soon will. */
  forget(subject: string): void
}

const KEYS_MAX = 10_000
/** Texts of each subject. */
const SEALED_MAX = 4

interface Known {
  readonly key: Uint8Array
  readonly sealed: LruCache<Sealed>
}

export function createSealer(vault: Vault): Sealer {
  const known = createLruCache<Known>(KEYS_MAX)

  function remember(subject: string, key: Uint8Array): Known {
    const found = known.get(subject)
    if (found) return found
    const made = { key, sealed: createLruCache<Sealed>(SEALED_MAX) }
    known.put(subject, made)
    return made
  }

  const knownOf = async (subject: string) => known.get(subject) ?? remember(subject, await vault.makeKey(subject))

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
    async open(sealed) {
      const subject = subjectOf(sealed)
      const key = known.get(subject)?.key ?? (await vault.key(subject))
      if (!key) return undefined
      return unseal(sealed, remember(subject, key).key)
    },
    forget: (subject) => known.remove(subject),
  }
}
