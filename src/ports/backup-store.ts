/** Backup store: named files of a backup, in a folder or in one file. */
export interface BackupStore {
  /** Undefined if there is no such file. @throws Error the medium fails, or the store is damaged */
  read(name: string): Promise<Uint8Array | undefined>
  has(name: string): Promise<boolean>
  /** Names that begin so, in their order. */
  list(prefix: string): Promise<readonly string[]>
  /** Durable when it settles: the whole file, or as before. */
  write(name: string, bytes: Uint8Array): Promise<void>
  remove(name: string): Promise<void>
  /** Whether files of earlier backups can be in it. */
  readonly keepsEarlier: boolean
  /** `complete`: everything was written; otherwise a store that is one file leaves none. */
  close(complete: boolean): Promise<void>
}

/** Encrypts files of a backup, and opens them. */
export interface BackupCipher {
  seal(bytes: Uint8Array): Promise<Uint8Array>
  /** @throws Error it was not sealed by this cipher, or is damaged */
  open(bytes: Uint8Array): Promise<Uint8Array>
}

/** Makes ciphers from passphrases. */
export interface BackupKeys {
  /** A new key, and the form in which the passphrase opens it again. */
  make(passphrase: string): Promise<{ readonly cipher: BackupCipher; readonly locked: Uint8Array }>
  /** Undefined if the passphrase does not open it. */
  unlock(locked: Uint8Array, passphrase: string): Promise<BackupCipher | undefined>
}
