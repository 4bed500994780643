/** Reads a backup piece by piece; each is compared with the hash that the backup names. */
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import { backupsAsMade, readManifest, sha256, type Manifest, type Piece } from './backup-format.ts'
import { stored, unsealed, type BackupPlace } from './backup-place.ts'
import { vaultName } from './backup-format.ts'
import { eventsIn, expanded, type EventOfPiece } from './log-pieces.ts'
import { readVault, type BackedUpVault } from './vault-file.ts'

export interface ChosenBackup {
  readonly manifest: Manifest
  readonly vault: BackedUpVault
}

/** Without a full stop, which who shows it adds. */
const CHOOSE_ANOTHER = 'Another backup in the same place may be whole: choose it with --at'

/** The one that was made last, or the one of that name. Everything that it names is there. Refusals: `not-found`, `invalid`. */
export async function chooseBackup(place: BackupPlace, at?: string): Promise<ChosenBackup | Refusal> {
  const made = (await backupsAsMade(place.store)).map(({ id }) => id)
  const id = at ?? made.at(-1)
  if (id === undefined || !made.includes(id)) return refuse('not-found', `There is no backup ${id}; there are: ${made.join(', ')}`)
  const manifest = await readManifest(place.store, id)
  if (isRefusal(manifest)) return manifest
  for (const { name } of [...manifest.log, ...manifest.blobs]) {
    if (!(await place.store.has(name))) return refuse('invalid', `This is only half a backup: ${name} is missing. ${CHOOSE_ANOTHER}`)
  }
  const vault = await readVault(place, stored(place, vaultName(id)))
  return isRefusal(vault) ? vault : { manifest, vault }
}

/** A piece of the backup differs from the written one. */
export class DamagedBackup extends Error {
  readonly code = 'damaged-backup'
  constructor(name: string, options?: ErrorOptions) {
    super(`The backup is damaged: ${name} is not what was written. ${CHOOSE_ANOTHER}`, options)
    this.name = 'DamagedBackup'
  }
}

/** Its events, piece by piece. @throws DamagedBackup */
export async function* backedUpEvents(place: BackupPlace, { log }: Manifest): AsyncGenerator<readonly EventOfPiece[]> {
  for (const piece of log) yield eventsIn(await readPiece(place, piece))
}

/** @throws DamagedBackup */
export async function readPiece(place: BackupPlace, { name, sha256: hash }: Piece): Promise<Uint8Array> {
  const bytes = await contentOf(place, name)
  if (sha256(bytes) !== hash) throw new DamagedBackup(name)
  return bytes
}

/** Whether a restoration would take it. A file on a bad sector, which cannot be read, is lost, too. */
export const isIntact = (place: BackupPlace, piece: Piece): Promise<boolean> =>
  readPiece(place, piece).then(
    () => true,
    () => false,
  )

async function contentOf(place: BackupPlace, name: string): Promise<Uint8Array> {
  const bytes = await place.store.read(name)
  if (bytes === undefined) throw new DamagedBackup(name)
  try {
    return await expanded(await unsealed(place, bytes))
  } catch (cause) {
    throw new DamagedBackup(name, { cause })
  }
}
