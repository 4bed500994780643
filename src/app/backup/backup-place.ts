/** A place for backups, opened: the store, and the cipher if its backups are encrypted. */
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import type { BackupCipher, BackupKeys, BackupStore } from '../../ports/backup-store.ts'
import { FORMAT_VERSION, HEADER, LOCKED_KEY, completeBackups, jsonBytes, readHeader, type Header } from './backup-format.ts'

export interface BackupPlace {
  readonly store: BackupStore
  /** Undefined: they are not encrypted. */
  readonly cipher: BackupCipher | undefined
}

export interface PlaceOptions {
  readonly passphrase?: string | undefined
  /** Loaded only if there is a passphrase. */
  readonly keys: () => Promise<BackupKeys>
}

const NO_PASSPHRASE = refuse('invalid', 'These backups are encrypted: give their passphrase', { path: 'passphrase' })
const WRONG = refuse('invalid', 'The passphrase does not open these backups', { path: 'passphrase' })
const PLAIN = refuse('conflict', 'The backups in this folder are not encrypted: give another folder for encrypted ones')
const OTHER = refuse('conflict', 'The backups in this folder are of another installation: give this one a folder of its own')
const NO_KEY = refuse('invalid', `${LOCKED_KEY} is missing: without it these backups cannot be opened`)

/** To begin again there would replace the key that opens them. */
const NO_HEADER = refuse('conflict', `${HEADER} is missing, but there are backups: put it back, or give another folder`)

/** For writing. Refusals: `invalid` (`passphrase`), `conflict`. */
export async function openForBackup(
  store: BackupStore,
  { passphrase, keys, installation }: PlaceOptions & { readonly installation: string },
): Promise<BackupPlace | Refusal> {
  const header = await readHeader(store)
  if (isRefusal(header)) return header
  if (header === undefined) return (await completeBackups(store)).length > 0 ? NO_HEADER : begin(store, { passphrase, keys, installation })
  if (header.installation !== installation) return OTHER
  if (!header.encrypted && passphrase !== undefined) return PLAIN
  return unlocked(store, header, { passphrase, keys })
}

/** For restoring. Refusals: `invalid`, `not-found`. */
export async function openForRestore(store: BackupStore, options: PlaceOptions): Promise<BackupPlace | Refusal> {
  const header = await readHeader(store)
  if (isRefusal(header)) return header
  if (header === undefined) return refuse('not-found', `There is no backup of Marquee: ${HEADER} is missing`)
  const complete = await completeBackups(store)
  if (complete.length === 0) return refuse('not-found', 'This is only half a backup: it was interrupted before it was complete')
  return unlocked(store, header, options)
}

/** The key comes first: a header that states "encrypted" never exists without it. */
async function begin(
  store: BackupStore,
  { passphrase, keys, installation }: PlaceOptions & { readonly installation: string },
): Promise<BackupPlace> {
  const made = passphrase === undefined ? undefined : await (await keys()).make(passphrase)
  if (made) await store.write(LOCKED_KEY, made.locked)
  const header: Header = { format: 'marquee-backup', version: FORMAT_VERSION, installation, encrypted: made !== undefined }
  await store.write(HEADER, jsonBytes(header))
  return { store, cipher: made?.cipher }
}

async function unlocked(store: BackupStore, { encrypted }: Header, { passphrase, keys }: PlaceOptions): Promise<BackupPlace | Refusal> {
  if (!encrypted) return { store, cipher: undefined }
  if (passphrase === undefined) return NO_PASSPHRASE
  const locked = await store.read(LOCKED_KEY)
  if (locked === undefined) return NO_KEY
  const cipher = await (await keys()).unlock(locked, passphrase)
  return cipher ? { store, cipher } : WRONG
}

/** Bytes as they are stored. */
export const sealed = async ({ cipher }: BackupPlace, bytes: Uint8Array): Promise<Uint8Array> => (cipher ? cipher.seal(bytes) : bytes)

/** The name that a file has there: `age` opens those that end so. */
export const stored = ({ cipher }: BackupPlace, name: string): string => (cipher ? `${name}.age` : name)

/** @throws Error the bytes differ from the sealed ones */
export const unsealed = async ({ cipher }: BackupPlace, bytes: Uint8Array): Promise<Uint8Array> => (cipher ? cipher.open(bytes) : bytes)
