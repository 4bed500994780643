/** Vault in memory: for tests. */
import { randomBytes } from 'node:crypto'
import { KeyDestroyed, type Vault } from '../../ports/vault.ts'

const KEY_BYTES = 32

export function createMemoryVault(): Vault {
  /** Null: destroyed. */
  const keys = new Map<string, Uint8Array | null>()
  const hashes = new Map<string, string>()
  const secrets = new Map<string, Uint8Array>()
  return {
    async makeKey(subject) {
      const key = keys.get(subject) ?? (keys.has(subject) ? null : randomBytes(KEY_BYTES))
      if (!key) throw new KeyDestroyed(subject)
      keys.set(subject, key)
      return Uint8Array.from(key)
    },
    key: async (subject) => copyOf(keys.get(subject)),
    destroyKey: async (subject) => void keys.set(subject, null),
    putPasswordHash: async (userId, version, hash) => void hashes.set(`${userId} ${version}`, hash),
    passwordHash: async (userId, version) => hashes.get(`${userId} ${version}`),
    async dropPasswordHashes(userId, version) {
      const of = version === undefined ? `${userId} ` : `${userId} ${version}`
      for (const key of hashes.keys()) if (version === undefined ? key.startsWith(of) : key === of) hashes.delete(key)
    },
    async secret(name) {
      const secret = secrets.get(name) ?? randomBytes(KEY_BYTES)
      secrets.set(name, secret)
      return Uint8Array.from(secret)
    },
    hasSecret: async (name) => secrets.has(name),
    contents: async () => ({
      keys: [...keys].map(([subject, key]) => ({ subject, key: copyOf(key) ?? null })),
      passwordHashes: [...hashes].map(([id, hash]) => {
        const [userId = '', version] = id.split(' ')
        return { userId, version: Number(version), hash }
      }),
      secrets: [...secrets].map(([name, secret]) => ({ name, secret: Uint8Array.from(secret) })),
    }),
    async replaceContents(contents) {
      for (const map of [keys, hashes, secrets]) map.clear()
      for (const { subject, key } of contents.keys) keys.set(subject, copyOf(key) ?? null)
      for (const { userId, version, hash } of contents.passwordHashes) hashes.set(`${userId} ${version}`, hash)
      for (const { name, secret } of contents.secrets) secrets.set(name, Uint8Array.from(secret))
    },
    close: async () => {},
  }
}

const copyOf = (bytes: Uint8Array | null | undefined): Uint8Array | undefined => (bytes ? Uint8Array.from(bytes) : undefined)
