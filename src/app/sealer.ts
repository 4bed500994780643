/**
 * Sealer: encrypts personal texts with the key of their subject, and opens them while the key exists. Keys are kept in memory,
 * a bounded number of them.
 */
import { seal, subjectOf, unseal, type Sealed } from '../events/sealed.ts'
import type { Vault } from '../ports/vault.ts'

export interface Sealer {
  seal(subject: string, text: string): Promise<Sealed>
  /** Undefined when the key was destroyed. */
  open(sealed: Sealed): Promise<string | undefined>
  /** Drops the key from memory: the vault has destroyed it, or soon will. */
  forget(subject: string): void
}

const KEYS_MAX = 10_000

export function createSealer(vault: Vault): Sealer {
  const keys = new Map<string, Uint8Array>()

  function remember(subject: string, key: Uint8Array): Uint8Array {
    const oldest = keys.keys().next()
    if (keys.size >= KEYS_MAX && !oldest.done) keys.delete(oldest.value)
    keys.set(subject, key)
    return key
  }

  return {
    async seal(subject, text) {
      const key = keys.get(subject) ?? remember(subject, await vault.makeKey(subject))
      return seal(subject, key, text)
    },
    async open(sealed) {
      const subject = subjectOf(sealed)
      const key = keys.get(subject) ?? (await vault.key(subject))
      if (!key) return undefined
      return unseal(sealed, remember(subject, key))
    },
    forget: (subject) => void keys.delete(subject),
  }
}
