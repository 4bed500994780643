/**
 * Keys of encrypted backups in age's format (age-encryption.org/v1). A passphrase locks one X25519 identity, and every file is encrypted
 * to that: the slow function of the passphrase runs once for a backup, not once for each file. `age -d` opens all of them.
 */
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import type { BackupCipher, BackupKeys } from '../../ports/backup-store.ts'

/** scrypt with 2^16: 64 MiB for less than a second. age's own default of 2^18 takes 256 MiB, which a small server does not have. */
const WORK_FACTOR = 16

export const ageBackupKeys: BackupKeys = {
  async make(passphrase) {
    const identity = await generateX25519Identity()
    const lock = new Encrypter()
    lock.setPassphrase(passphrase)
    lock.setScryptWorkFactor(WORK_FACTOR)
    return { cipher: await cipherOf(identity), locked: await lock.encrypt(`${identity}\n`) }
  },
  async unlock(locked, passphrase) {
    const opener = new Decrypter()
    opener.addPassphrase(passphrase)
    const identity = await opener.decrypt(locked, 'text').catch(() => undefined)
    return identity === undefined ? undefined : cipherOf(identity.trim())
  },
}

async function cipherOf(identity: string): Promise<BackupCipher> {
  const recipient = await identityToRecipient(identity)
  return {
    seal(bytes) {
      const encrypter = new Encrypter()
      encrypter.addRecipient(recipient)
      return encrypter.encrypt(bytes)
    },
    open(bytes) {
      const decrypter = new Decrypter()
      decrypter.addIdentity(identity)
      return decrypter.decrypt(bytes)
    },
  }
}
