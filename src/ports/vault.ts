/**
 * Vault: data that must stay out of the log because it must be erasable or secret. It holds password hashes, the keys that seal personal
 * fields (one for each subject), and the secrets of this installation.
 */
export interface Vault {
  /** The key of a subject (32 bytes), made on first use. @throws KeyDestroyed */
  makeKey(subject: string): Promise<Uint8Array>
  /** The key of a subject; undefined if it has none or it was destroyed. */
  key(subject: string): Promise<Uint8Array | undefined>
  /** Destroys the key permanently: its sealed data becomes unreadable, and no new key is made for the subject. */
  destroyKey(subject: string): Promise<void>

  /** Written before the event that names the hash's version. */
  putPasswordHash(userId: string, version: number, hash: string): Promise<void>
  passwordHash(userId: string, version: number): Promise<string | undefined>
  /** Forgets the hash of one version, or of all. */
  dropPasswordHashes(userId: string, version?: number): Promise<void>

  /** A secret of this installation (32 random bytes), made on first use by exactly one of N callers. */
  secret(name: string): Promise<Uint8Array>
  /** Whether that secret already exists. */
  hasSecret(name: string): Promise<boolean>
  /** All of it, for a backup: as it was at one time, or between two that are close together. */
  contents(): Promise<VaultContents>
  /** Makes these its contents, and forgets all others: for a vault that moves. Nobody else uses it meanwhile; repeat it if it fails. */
  replaceContents(contents: VaultContents): Promise<void>
  close(): Promise<void>
}

export interface VaultContents {
  /** A null key was destroyed. */
  readonly keys: readonly { readonly subject: string; readonly key: Uint8Array | null }[]
  readonly passwordHashes: readonly { readonly userId: string; readonly version: number; readonly hash: string }[]
  readonly secrets: readonly { readonly name: string; readonly secret: Uint8Array }[]
}

export class KeyDestroyed extends Error {
  readonly code = 'key-destroyed'
  /** User id. */
  readonly subject: string
  constructor(subject: string) {
    super(`The key of ${subject} was destroyed`)
    this.name = 'KeyDestroyed'
    this.subject = subject
  }
}
